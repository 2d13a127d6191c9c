/** The operations on the vector index: compare and repair it, embed again, replace it while recall keeps answering. */
import { type Operation, route } from '../operation.js';
import { closed, count, text, textList } from '../reply-parts.js';
import { jobAcceptedReply } from './jobs.js';

/** Samples and lists of failed ids hold at most this many ids. */
export const SYNC_SAMPLE = 10;
export const SYNC_BATCH = { default: 32, maximum: 100 } as const;

/** An invalid batch size is not refused: it counts as the default. */
export const syncBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    batch_size: {
      description: `Memories in one request to the indexer: 1 to ${SYNC_BATCH.maximum}; default ${SYNC_BATCH.default}.`,
    },
    dry_run: { type: 'boolean', description: 'True: only reports. Default false.' },
  },
} as const;

const sample = { ...textList, maxItems: SYNC_SAMPLE } as const;

const status = (value: string) => ({ type: 'string', const: value }) as const;
const counts = { neo4j_count: count, falkordb_count: count, qdrant_count: count } as const;

export const syncReply = {
  oneOf: [
    closed({
      status: status('dry_run'),
      ...counts,
      missing_count: count,
      orphaned_count: count,
      stale_count: { ...count, description: 'Points of an older version, of another model or with another payload.' },
      missing_sample: sample,
      orphaned_sample: sample,
      stale_sample: sample,
    }),
    closed({ status: status('already_synced'), ...counts, synced: count, orphaned_count: count, stale_count: count }),
    closed(
      {
        status: status('complete'),
        ...counts,
        synced: { ...count, description: 'Missing and stale points that were written.' },
        failed: count,
        orphaned_count: count,
        stale_count: count,
        stale_sample: sample,
        removed: { ...count, description: 'Orphaned points that were removed.' },
      },
      { failed_ids: sample, failed_ids_truncated: { type: 'boolean', const: true } },
    ),
  ],
} as const;

export const REEMBED_BATCH = { default: 32, maximum: 100 } as const;
/** The most failed ids in a reply. */
export const REEMBED_SAMPLE = 10;

/** An invalid batch size is not refused: it counts as the default. */
export const reembedBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    batch_size: {
      description: `Memories in one call to the embedding provider: 1 to ${REEMBED_BATCH.maximum}; default ${REEMBED_BATCH.default}.`,
    },
    limit: { type: 'integer', minimum: 1, description: 'Only this many memories, the newest. Absent: all.' },
    force: {
      type: 'boolean',
      description: 'True: also replaces vectors that callers supplied. Default false.',
    },
    async: { type: 'boolean', description: 'True: answers 202 with the job at once. Default false.' },
  },
} as const;

const complete = { type: 'string', const: 'complete' } as const;

export const reembedReply = {
  oneOf: [
    closed({
      status: complete,
      message: { type: 'string', const: 'No memories found to reembed' },
      processed: count,
      total: count,
    }),
    closed(
      {
        status: complete,
        processed: { ...count, description: 'Memories with a new vector.' },
        failed: count,
        skipped: {
          ...count,
          description: 'Memories that keep the vector that a caller supplied, and memories without words.',
        },
        total: count,
        batch_size: count,
        metadata_preserved: { type: 'boolean', const: true },
      },
      {
        failed_ids: { type: 'array', items: text, maxItems: REEMBED_SAMPLE },
        failed_ids_truncated: { type: 'boolean', const: true },
        error: { ...text, description: 'Why the job stopped before the last memory.' },
      },
    ),
  ],
} as const;

/** Without a property: the configured embedder. */
export const rebuildVectorsBody = {
  type: 'object',
  additionalProperties: false,
  properties: {
    provider: {
      type: 'string',
      enum: ['bundled', 'openai', 'ollama', 'voyage'],
      description: 'The provider of the new vectors; default the configured one.',
    },
    model: {
      type: 'string',
      minLength: 1,
      maxLength: 200,
      description: 'A model of the provider; default its configured one.',
    },
    vector_size: {
      type: 'integer',
      minimum: 1,
      maximum: 4_096,
      description: 'Numbers in a vector; default the size of the model.',
    },
  },
} as const;

export const vectorIndexOperations = {
  syncIndex: {
    ...route('POST /admin/sync', 'query', 'admin'),
    tag: 'Administration',
    summary: 'Compare the vector index with the graph, and repair it',
    description:
      'Finds memories without a point, points without a memory and points that differ from their memory, has the vector indexer repair them, and waits for it. One at a time: a second request is answered 409.',
    body: { schema: syncBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 200: syncReply },
    alsoAnswers: [409],
  },
  reembed: {
    ...route('POST /admin/reembed', 'query', 'admin'),
    tag: 'Administration',
    summary: 'Embed the contents of memories again',
    description:
      'Embeds the contents of memories again, the newest first, and replaces their vectors. It runs as a job: the answer is 200 with the counts if the job ends soon, otherwise 202 with the job.',
    body: { schema: reembedBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 200: reembedReply, 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
  rebuildVectors: {
    ...route('POST /admin/projections/vectors/rebuild', 'query', 'admin'),
    tag: 'Administration',
    summary: 'Make the vector index again, optionally with another model',
    description:
      'Starts a job that makes a second vector index, proves that it agrees with the graph, and then switches to it. Recall answers from the old one until then. The embedder is checked first: a wrong provider, model or size starts nothing.',
    body: { schema: rebuildVectorsBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
  rollbackVectors: {
    ...route('POST /admin/projections/vectors/rollback', 'query', 'admin'),
    tag: 'Administration',
    summary: 'Return to the vector index before the last rebuild',
    description:
      'Starts a job that brings the previous vector index up to date and switches back to it. 409 when there is none, or when another job is unfinished.',
    replies: { 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
} as const satisfies Record<string, Operation>;
