/** The backup of the whole deployment as one file, and the import of complete states of another service. */
import { associationItem, storeMemoryBody } from '../commands.js';
import { BATCH_LIMIT } from '../limits.js';
import { type Operation, route } from '../operation.js';
import type { QueryParameter } from '../queries.js';
import { closed, count, success, text } from '../reply-parts.js';

export const backupQuery = [
  {
    name: 'include',
    kind: 'text',
    pattern: '^\\s*(falkordb|qdrant)\\s*(,\\s*(falkordb|qdrant)\\s*)*$',
    refusesBlank: true,
    refuse: 'include must be a comma-separated subset of: falkordb,qdrant',
    description: '`falkordb`: memories, associations and their events. `qdrant`: the embeddings. Default both.',
  },
  {
    name: 'history',
    kind: 'flag',
    description: 'All events of the journal, in place of the last event of each subject. Default false.',
  },
] as const satisfies readonly QueryParameter[];

export const backupReply = {
  type: 'string',
  format: 'binary',
  description:
    'A tar.gz whose last entry is `manifest.json`, with the SHA-256 of each other entry. Without it the archive is not whole.',
} as const;

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

export const transferOperations = {
  backup: {
    ...route('GET /backup', 'query', 'admin_alone'),
    cost: 300,
    tag: 'Administration',
    summary: 'Download everything as one archive',
    description:
      'Streams a tar.gz of all memories, associations and embeddings, with the admin token alone. A failure cuts the connection; only a whole archive ends with `manifest.json`.',
    query: backupQuery,
    download: true,
    replies: { 200: backupReply },
  },
  importRecords: {
    ...route('POST /admin/import', 'command', 'admin'),
    tag: 'Administration',
    summary: 'Import memories and associations with their ids',
    description:
      'Stores memories and associations of another service with their ids and times; what is there already stays as it is.',
    body: {
      schema: importBody,
      missing: "JSON body with 'memories' or 'associations' array required",
      kind: 'memories',
      validatedBy: 'handler',
    },
    replies: { 200: importReply },
  },
} as const satisfies Record<string, Operation>;
