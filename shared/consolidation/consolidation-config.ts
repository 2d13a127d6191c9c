/** The configuration variables of the consolidator. The contract fixes their names and defaults. */
import type { ConsolidationTask } from '../contract/consolidation/consolidate.js';
import { type Environment, readVariables, type Variable } from '../kernel/config/config.js';
import type { RelevanceRules } from './relevance.js';

function interval<T extends string>(task: T, seconds: number) {
  return {
    name: `CONSOLIDATION_${task}_INTERVAL_SECONDS` as const,
    kind: 'number',
    minimum: 0,
    default: String(seconds),
    unit: 's',
    description: `How often consolidation runs its task \`${task.toLowerCase()}\`; 0: only on request.`,
  } as const;
}

const WEEK_SECONDS = 604_800;

const unit = { kind: 'number', minimum: 0, maximum: 1 } as const;

export const consolidationVariables = [
  {
    name: 'CONSOLIDATION_TICK_SECONDS',
    kind: 'integer',
    minimum: 1,
    maximum: 3_600,
    default: '60',
    unit: 's',
    description: 'How often the consolidator looks for tasks that are due.',
  },
  interval('DECAY', 86_400),
  interval('CREATIVE', 604_800),
  interval('CLUSTER', 2_592_000),
  interval('FORGET', 0),
  {
    name: 'CONSOLIDATION_IDENTITY_INTERVAL_SECONDS',
    kind: 'number',
    minimum: 0,
    unit: 's',
    description:
      'How often consolidation runs its task `identity`; 0: only on request. Default 604800 with IDENTITY_SYNTHESIS_ENABLED, otherwise 0.',
  },
  {
    name: 'IDENTITY_SYNTHESIS_ENABLED',
    kind: 'flag',
    default: 'false',
    description:
      'Whether consolidation merges entities that are certainly the same and has the language model write what is known of each. The texts stay in the journal when a memory that they were made from is deleted.',
  },
  {
    name: 'IDENTITY_SYNTHESIS_MODEL',
    kind: 'text',
    description: 'Model that describes entities; default CLASSIFICATION_MODEL.',
  },
  {
    name: 'CONSOLIDATION_DECAY_IMPORTANCE_THRESHOLD',
    ...unit,
    default: '0.3',
    description: 'The task `decay` of the schedule leaves out memories of a lower importance.',
  },
  {
    name: 'CONSOLIDATION_BASE_DECAY_RATE',
    kind: 'number',
    minimum: 0,
    maximum: 100,
    default: '0.01',
    description: 'How fast the relevance of a memory falls with its age, for each day.',
  },
  {
    name: 'CONSOLIDATION_IMPORTANCE_FLOOR_FACTOR',
    ...unit,
    default: '0.3',
    description: 'The relevance of a memory never falls below its importance times this.',
  },
  {
    name: 'CONSOLIDATION_CLUSTER_SIMILARITY_THRESHOLD',
    ...unit,
    default: '0.75',
    description:
      'Memories form a cluster when they are at least this similar. Enrichment finds no pairs below `ENRICHMENT_SIMILARITY_THRESHOLD`.',
  },
  {
    name: 'CONSOLIDATION_MIN_CLUSTER_SIZE',
    kind: 'integer',
    minimum: 2,
    default: '3',
    description: 'Fewer memories are no cluster.',
  },
  {
    name: 'CONSOLIDATION_ARCHIVE_THRESHOLD',
    ...unit,
    default: '0',
    description: 'The task `forget` archives memories of a lower relevance; 0: none.',
  },
  {
    name: 'CONSOLIDATION_DELETE_THRESHOLD',
    ...unit,
    default: '0',
    description: 'The task `forget` deletes memories of a lower relevance; 0: none.',
  },
  {
    name: 'CONSOLIDATION_GRACE_PERIOD_DAYS',
    kind: 'number',
    minimum: 0,
    default: '90',
    unit: 'days',
    description: 'Younger memories are neither archived nor deleted.',
  },
  {
    name: 'CONSOLIDATION_IMPORTANCE_PROTECTION_THRESHOLD',
    ...unit,
    default: '0.7',
    description: 'Memories of at least this importance are neither archived nor deleted.',
  },
  {
    name: 'CONSOLIDATION_PROTECTED_TYPES',
    kind: 'list',
    default: 'Decision,Insight',
    description: 'Memories of these types are neither archived nor deleted, separated by commas.',
  },
  {
    name: 'CONSOLIDATION_HISTORY_LIMIT',
    kind: 'integer',
    minimum: 1,
    maximum: 1_000,
    default: '20',
    description: 'Runs of consolidation that the status lists.',
  },
] as const satisfies readonly Variable[];

export type ForgetRules = {
  readonly archiveBelow: number;
  readonly deleteBelow: number;
  readonly graceDays: number;
  readonly importantFrom: number;
  readonly protectedTypes: ReadonlySet<string>;
};

export type ConsolidationConfig = {
  readonly tickMs: number;
  /** 0: only on request. */
  readonly intervalMs: Readonly<Record<ConsolidationTask, number>>;
  readonly relevance: RelevanceRules;
  /** Of the schedule alone. */
  readonly decayFromImportance: number;
  readonly clusterSimilarity: number;
  readonly clusterSize: number;
  readonly forget: ForgetRules;
  readonly historyLimit: number;
  readonly identity: {
    readonly isEnabled: boolean;
    /** Undefined: the model that classifies. */
    readonly model: string | undefined;
  };
};

/** Throws one ConfigurationError that lists every problem. */
export function consolidationConfig(environment: Environment): ConsolidationConfig {
  const values = readVariables(consolidationVariables, environment);
  const identitySeconds =
    values.CONSOLIDATION_IDENTITY_INTERVAL_SECONDS ?? (values.IDENTITY_SYNTHESIS_ENABLED ? WEEK_SECONDS : 0);
  return {
    tickMs: values.CONSOLIDATION_TICK_SECONDS * 1_000,
    intervalMs: {
      decay: values.CONSOLIDATION_DECAY_INTERVAL_SECONDS * 1_000,
      forget: values.CONSOLIDATION_FORGET_INTERVAL_SECONDS * 1_000,
      creative: values.CONSOLIDATION_CREATIVE_INTERVAL_SECONDS * 1_000,
      cluster: values.CONSOLIDATION_CLUSTER_INTERVAL_SECONDS * 1_000,
      identity: identitySeconds * 1_000,
    },
    relevance: {
      decayRate: values.CONSOLIDATION_BASE_DECAY_RATE,
      importanceFloor: values.CONSOLIDATION_IMPORTANCE_FLOOR_FACTOR,
    },
    decayFromImportance: values.CONSOLIDATION_DECAY_IMPORTANCE_THRESHOLD,
    clusterSimilarity: values.CONSOLIDATION_CLUSTER_SIMILARITY_THRESHOLD,
    clusterSize: values.CONSOLIDATION_MIN_CLUSTER_SIZE,
    forget: {
      archiveBelow: values.CONSOLIDATION_ARCHIVE_THRESHOLD,
      deleteBelow: values.CONSOLIDATION_DELETE_THRESHOLD,
      graceDays: values.CONSOLIDATION_GRACE_PERIOD_DAYS,
      importantFrom: values.CONSOLIDATION_IMPORTANCE_PROTECTION_THRESHOLD,
      protectedTypes: new Set(values.CONSOLIDATION_PROTECTED_TYPES),
    },
    historyLimit: values.CONSOLIDATION_HISTORY_LIMIT,
    identity: { isEnabled: values.IDENTITY_SYNTHESIS_ENABLED, model: values.IDENTITY_SYNTHESIS_MODEL },
  };
}
