/**
 * The operation that imports memories and associations of another service: complete states, with their ids and times.
 */
import { associationItem, storeMemoryBody } from '../commands.js';
import { BATCH_LIMIT } from '../limits.js';
import type { Operation } from '../operation.js';
import { closed, count, success, text } from '../reply-parts.js';

const isoTime = { type: 'string', description: 'ISO 8601; without an offset it is UTC.' } as const;

/** The fields of POST /memory, the id, and the state that this service else writes itself. */
export const importedMemoryItem = {
  type: 'object',
  additionalProperties: true,
  required: ['id', 'content'],
  properties: {
    ...storeMemoryBody.properties,
    id: { type: 'string', description: 'A UUID; the memory keeps it.' },
    summary: { type: 'string' },
    relevance_score: { type: 'number' },
    archived: { type: 'boolean' },
    archived_at: isoTime,
    protected: { type: 'boolean' },
    protected_reason: { type: 'string' },
  },
} as const;

/** The fields of POST /associate, and the times of the association. */
export const importedAssociationItem = {
  ...associationItem,
  properties: { ...associationItem.properties, created_at: isoTime, updated_at: isoTime },
} as const;

export const importBody = {
  type: 'object',
  additionalProperties: true,
  properties: {
    memories: { type: 'array', maxItems: BATCH_LIMIT, items: importedMemoryItem },
    associations: {
      type: 'array',
      maxItems: BATCH_LIMIT,
      items: importedAssociationItem,
      description: 'Stored after the memories, so they can connect memories of the same request.',
    },
  },
} as const;

const importedPart = closed({
  stored: count,
  existing: { ...count, description: 'There before, or deleted since: unchanged.' },
  refused: { type: 'array', items: closed({ index: count, reason: text }) },
});
export const importReply = closed({ status: success, memories: importedPart, associations: importedPart });

export const importOperations = {
  importRecords: {
    method: 'POST',
    path: '/admin/import',
    servedBy: 'command',
    access: 'admin',
    summary: 'Import memories and associations with their ids',
    body: {
      schema: importBody,
      missing: "JSON body with 'memories' or 'associations' array required",
      kind: 'memories',
      validatedBy: 'handler',
    },
    replies: { 200: importReply },
  },
} as const satisfies Record<string, Operation>;
