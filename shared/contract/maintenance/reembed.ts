/** POST /admin/reembed: new vectors for the contents of memories. */
import type { Operation } from '../operation.js';
import { closed, count, text } from '../reply-parts.js';
import { jobAcceptedReply } from './jobs.js';

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
        failed_ids: { type: 'array', items: text, maxItems: REEMBED_SAMPLE },
        failed_ids_truncated: { type: 'boolean', const: true },
        error: { ...text, description: 'Why the job stopped before the last memory.' },
      },
      ['failed_ids', 'failed_ids_truncated', 'error'],
    ),
  ],
} as const;

export const reembedOperations = {
  reembed: {
    method: 'POST',
    path: '/admin/reembed',
    servedBy: 'query',
    access: 'admin',
    summary: 'Embed the contents of memories again',
    body: { schema: reembedBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 200: reembedReply, 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
} as const satisfies Record<string, Operation>;
