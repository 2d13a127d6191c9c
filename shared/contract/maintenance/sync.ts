/** The comparison of graph and vector index: POST /admin/sync. */
import type { Operation } from '../operation.js';
import { closed, count, textList } from '../reply-parts.js';

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
        failed_ids: sample,
        failed_ids_truncated: { type: 'boolean', const: true },
      },
      ['failed_ids', 'failed_ids_truncated'],
    ),
  ],
} as const;

export const syncOperations = {
  syncIndex: {
    method: 'POST',
    path: '/admin/sync',
    servedBy: 'query',
    access: 'admin',
    summary: 'Compare the vector index with the graph, and repair it',
    body: { schema: syncBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 200: syncReply },
    alsoAnswers: [409],
  },
} as const satisfies Record<string, Operation>;
