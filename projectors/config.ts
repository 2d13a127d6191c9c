/** The configuration variables of the projectors. */
import { type ConsolidationConfig, consolidationConfig } from '../shared/consolidation/consolidation-config.js';
import {
  ACCESS_RECORDER,
  CONSOLIDATOR,
  DRIFT_REPAIRER,
  PROJECTOR_NAMES,
  WEBHOOK_SENDER,
} from '../shared/contract/projector-names.js';
import { outboundAddresses } from '../shared/http/outbound-address.js';
import { ConfigurationError, type Environment, readVariables, type Variable } from '../shared/kernel/config/config.js';
import { readParts } from '../shared/kernel/config/read-parts.js';
import { type EnricherConfig, enricherConfig } from './enricher/enricher-config.js';
import type { WebhookSenderConfig } from './jobs/webhook-sender/webhook-sender.js';
import { BATCH_EVENTS, STATE_SAVE_MS } from './run-projector.js';

/** Everything that a projector process can run. */
const RUNNABLE = [...PROJECTOR_NAMES, ACCESS_RECORDER, DRIFT_REPAIRER, CONSOLIDATOR, WEBHOOK_SENDER] as const;
export type Runnable = (typeof RUNNABLE)[number];

export const projectorVariables = [
  {
    name: 'PROJECTORS',
    kind: 'list',
    default: RUNNABLE.join(','),
    description:
      'The projectors that this process runs, separated by commas. Each kind can run in its own processes, as many as it needs. A projector that no process runs makes no progress.',
  },
  {
    name: 'PROJECTOR_STATE_SAVE_MS',
    kind: 'integer',
    minimum: 100,
    maximum: 10_000,
    default: String(STATE_SAVE_MS),
    unit: 'ms',
    description:
      'How often a projector saves its heartbeat and the state that status routes show; after 15 s without a heartbeat it counts as stopped.',
  },
  {
    name: 'DRIFT_CHECK_MINUTES',
    kind: 'number',
    minimum: 0,
    maximum: 20_000,
    default: '60',
    unit: 'minutes',
    description:
      'How often graph and vector index are compared, and repaired where they differ; the first time after one interval. 0: only by `POST /admin/sync`.',
  },
  {
    name: 'EMBEDDING_CACHE_RETENTION_DAYS',
    kind: 'number',
    minimum: 0,
    maximum: 10_000,
    default: '30',
    unit: 'days',
    description:
      'How long the embedding cache keeps a vector that nothing needs: of an earlier content, or of a model that makes no index any more. A pass once a day finds and removes them. 0: they stay.',
  },
  {
    name: 'INDEX_REBUILD_REST_PERCENT',
    kind: 'integer',
    minimum: 0,
    maximum: 10_000,
    default: '100',
    description:
      'How long a rebuild of the vector index pauses after each page, in percent of the time of the page: 0 is fastest, more leaves the engines to callers.',
  },
  {
    name: 'RECALL_EXCLUDED_TYPES',
    kind: 'list',
    default: 'MetaPattern',
    description: 'Memory types that recall never shows, separated by commas.',
  },
  {
    name: 'WEBHOOK_TIMEOUT_MS',
    kind: 'integer',
    minimum: 100,
    maximum: 60_000,
    default: '15000',
    unit: 'ms',
    description:
      'How long the receiver of a webhook may take for one event in all, with the connection. After this time the attempt has failed.',
  },
] as const satisfies readonly Variable[];

export type ProjectorConfig = {
  readonly runs: ReadonlySet<Runnable>;
  readonly batchSize: number;
  readonly stateSaveMs: number;
  /** 0: never. */
  readonly driftCheckMs: number;
  /** 0: vectors that nothing needs stay. */
  readonly cacheRetentionMs: number;
  readonly rebuildPausePercent: number;
  readonly excludedTypes: readonly string[];
  readonly enricher: EnricherConfig;
  readonly consolidation: ConsolidationConfig;
  readonly webhooks: WebhookSenderConfig;
};

/** Throws one ConfigurationError that lists every problem. */
export function projectorConfig(environment: Environment): ProjectorConfig {
  const { own, enricher, consolidation, addresses } = readParts({
    own: () => readVariables(projectorVariables, environment),
    enricher: () => enricherConfig(environment),
    consolidation: () => consolidationConfig(environment),
    addresses: () => outboundAddresses(environment),
  });
  return {
    runs: runnableOf(own.PROJECTORS),
    batchSize: BATCH_EVENTS,
    stateSaveMs: own.PROJECTOR_STATE_SAVE_MS,
    driftCheckMs: own.DRIFT_CHECK_MINUTES * 60_000,
    cacheRetentionMs: own.EMBEDDING_CACHE_RETENTION_DAYS * 24 * 3_600_000,
    rebuildPausePercent: own.INDEX_REBUILD_REST_PERCENT,
    excludedTypes: own.RECALL_EXCLUDED_TYPES,
    enricher,
    consolidation,
    webhooks: { addresses, timeoutMs: own.WEBHOOK_TIMEOUT_MS },
  };
}

function runnableOf(names: readonly string[]): ReadonlySet<Runnable> {
  const known: ReadonlyMap<string, Runnable> = new Map(RUNNABLE.map((name) => [name, name]));
  const unknown = names.filter((name) => !known.has(name));
  if (unknown.length > 0 || names.length === 0) {
    throw new ConfigurationError([
      `PROJECTORS ${unknown.length > 0 ? `names ${unknown.join(', ')}, which is no projector` : 'is empty'}: name one or more of ${RUNNABLE.join(', ')}`,
    ]);
  }
  return new Set(names.flatMap((name) => known.get(name) ?? []));
}
