/** POST /consolidate and GET /consolidate/status. */
import { jobAcceptedReply } from '../maintenance/jobs.js';
import type { Operation } from '../operation.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';

/**
 * In the order in which a full consolidation runs them. Memories are archived before associations and clusters are
 * looked for: the next run would find others without them.
 */
export const CONSOLIDATION_TASKS = ['decay', 'forget', 'creative', 'cluster', 'identity'] as const;
export type ConsolidationTask = (typeof CONSOLIDATION_TASKS)[number];

/** The most items of a list in the result of a task; counts cover all. */
export const FORGET_SAMPLE = 100;
export const DISCOVERY_SAMPLE = 3;
export const CLUSTER_SAMPLE = 2;
/** Characters of a content in a sample; `...` follows where the content is longer. */
export const PREVIEW_LENGTH = 47;
const MODE_LENGTH = 100;

export const consolidateBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    mode: {
      type: 'string',
      maxLength: MODE_LENGTH,
      description: `'full' (the default) or one of ${CONSOLIDATION_TASKS.join(', ')}. Any other mode runs nothing.`,
    },
    dry_run: { type: 'boolean', description: 'True, the default: reports what would change and writes nothing.' },
  },
} as const;

const anyObject = { type: 'object', additionalProperties: true } as const;
const decay = closed({
  processed: count,
  changed: { ...count, description: 'Memories whose relevance moved noticeably.' },
  avg_relevance_before: number,
  avg_relevance_after: number,
  distribution: closed({ high: count, medium: count, low: count, archive: count }),
});
const creative = closed({
  discovered: count,
  created: count,
  sample_associations: { type: 'array', maxItems: DISCOVERY_SAMPLE, items: anyObject },
});
const cluster = closed({
  clusters_found: count,
  meta_memories_created: { ...count, description: 'Created, or changed because the cluster changed.' },
  sample_clusters: { type: 'array', maxItems: CLUSTER_SAMPLE, items: anyObject },
});
const forgetItems = { type: 'array', maxItems: FORGET_SAMPLE, items: anyObject } as const;
const forget = closed({
  examined: count,
  archived: forgetItems,
  deleted: forgetItems,
  preserved: count,
  protected: forgetItems,
  counts: closed({ archived: count, deleted: count, protected: count }),
});
const identity = {
  type: 'object',
  additionalProperties: true,
  properties: { skipped: flag, reason: text, errors: textList },
} as const;

const consolidation = closed(
  {
    mode: text,
    dry_run: flag,
    started_at: text,
    completed_at: text,
    success: flag,
    error: text,
    steps: closed({ decay, forget, creative, cluster, identity }, CONSOLIDATION_TASKS),
  },
  ['completed_at', 'error'],
);

const when = { type: 'string', pattern: '^(Due now|Disabled|In [0-9]+ (day|hour)s?)$' } as const;
const consolidationStatusReply = closed({
  status: success,
  next_runs: closed({ decay: when, creative: when, cluster: when, forget: when, identity: when }),
  history: {
    type: 'array',
    description: 'Runs that were not dry, the newest first.',
    items: closed({
      id: text,
      mode: text,
      task: text,
      success: flag,
      dry_run: flag,
      started_at: text,
      completed_at: text,
      result: { ...text, description: 'The consolidation of the answer, as JSON.' },
    }),
  },
  thread_alive: { ...flag, description: 'A process follows the schedule.' },
  tick_seconds: count,
});

export const consolidateOperations = {
  consolidate: {
    method: 'POST',
    path: '/consolidate',
    servedBy: 'query',
    access: 'api',
    summary: 'Consolidate the memories: relevance, discoveries, clusters, forgetting',
    body: { schema: consolidateBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 200: closed({ status: success, consolidation }), 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
  consolidationStatus: {
    method: 'GET',
    path: '/consolidate/status',
    servedBy: 'query',
    access: 'api',
    summary: 'Next runs and history of consolidation',
    replies: { 200: consolidationStatusReply },
  },
} as const satisfies Record<string, Operation>;
