/**
 * The operations that replace the vector index while recall keeps answering: POST /admin/projections/vectors/rebuild
 * and .../rollback.
 */
import type { Operation } from '../operation.js';
import { jobAcceptedReply } from './jobs.js';

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

export const rebuildVectorsOperations = {
  rebuildVectors: {
    method: 'POST',
    path: '/admin/projections/vectors/rebuild',
    servedBy: 'query',
    access: 'admin',
    summary: 'Make the vector index again, optionally with another model',
    body: { schema: rebuildVectorsBody, missing: 'JSON body is required', kind: 'small', isOptional: true },
    replies: { 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
  rollbackVectors: {
    method: 'POST',
    path: '/admin/projections/vectors/rollback',
    servedBy: 'query',
    access: 'admin',
    summary: 'Return to the vector index before the last rebuild',
    replies: { 202: jobAcceptedReply },
    alsoAnswers: [409],
  },
} as const satisfies Record<string, Operation>;
