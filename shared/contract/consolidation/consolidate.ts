/** The operations of consolidation. */
import { recordCommands } from '../internal-commands.js';
import { jobAcceptedReply } from '../maintenance/jobs.js';
import { type Operation, route } from '../operation.js';
import { closed, count, flag, number, success, text, textList } from '../reply-parts.js';
import { CONSOLIDATION_COMMANDS_LIMIT, CONSOLIDATION_OUTCOMES } from './commands.js';

/** In the order of a full consolidation: memories are archived before associations and clusters are looked for. */
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
const forgetItems = {
  type: 'array',
  maxItems: FORGET_SAMPLE,
  items: anyObject,
  description: 'Each with `content_preview`, which is empty for a memory that does not exist any more.',
} as const;
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
    success: flag,
    steps: closed({}, { decay, forget, creative, cluster, identity }),
  },
  { completed_at: text, error: text },
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
      result: { ...text, description: 'The consolidation of the answer, as JSON, with ids in place of words.' },
    }),
  },
  thread_alive: { ...flag, description: 'A process follows the schedule.' },
  tick_seconds: count,
});

export const consolidationOperations = {
  consolidate: {
    ...route('POST /consolidate', 'query', 'api'),
    tag: 'Administration',
    summary: 'Consolidate the memories: relevance, discoveries, clusters, forgetting',
    description:
      'Computes the relevance of memories, looks for associations and clusters, and forgets what became irrelevant. A dry run, the default, writes nothing. It runs as a job: the answer is 200 with the result if the job ends soon, otherwise 202 with the job. A second request meanwhile is answered 409.',
    body: { schema: consolidateBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 200: closed({ status: success, consolidation }), 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
  consolidationStatus: {
    ...route('GET /consolidate/status', 'query', 'api'),
    tag: 'Administration',
    summary: 'Next runs and history of consolidation',
    description: 'When each task of the schedule runs next, and the last runs that were not dry, with their results.',
    replies: { 200: consolidationStatusReply },
  },
  restoreMemory: {
    ...route('POST /admin/memories/:id/restore', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Restore an archived memory, and protect it from being archived again',
    description:
      'Undoes the archiving of a memory. The memory becomes protected, so that consolidation leaves it alone.',
    repeatable: true,
    conditional: true,
    replies: {
      200: closed({
        status: success,
        memory_id: { type: 'string', format: 'uuid' },
        restored: { ...flag, description: 'False: the memory was not archived.' },
      }),
    },
  },
  recordConsolidation: recordCommands('/internal/consolidation', {
    summary: 'Record the commands of the consolidator',
    limit: CONSOLIDATION_COMMANDS_LIMIT,
    outcomes: CONSOLIDATION_OUTCOMES,
  }),
} as const satisfies Record<string, Operation>;
