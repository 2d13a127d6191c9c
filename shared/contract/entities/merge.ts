/** POST /entity/:slug/merge. */
import type { Operation } from '../operation.js';
import { closed, count, success, text } from '../reply-parts.js';

const mergeEntityBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    merge_into: {
      description: 'The slug of the entity that stays, or an alias of it. Required: a text that is not blank.',
    },
  },
} as const;

export const mergeOperations = {
  mergeEntity: {
    method: 'POST',
    path: '/entity/:slug/merge',
    servedBy: 'command',
    access: 'admin',
    summary: 'Make an entity an alias of another, and move its tags',
    repeatable: true,
    query: [
      {
        name: 'category',
        kind: 'text',
        description: 'Narrows slugs that several categories have; by default the most referenced one.',
      },
    ],
    body: { schema: mergeEntityBody, missing: "'merge_into' slug is required", kind: 'small', isOptional: true },
    replies: {
      200: closed({
        status: success,
        merge: closed({
          canonical: { ...text, description: 'The slug of the entity that stays.' },
          alias: { ...text, description: 'The name of the entity that was merged.' },
          alias_slug: text,
          edges_moved: { ...count, description: 'Memories whose tag was changed.' },
        }),
      }),
    },
  },
} as const satisfies Record<string, Operation>;
