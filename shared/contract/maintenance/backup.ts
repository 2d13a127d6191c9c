/** The backup of the whole deployment as one file. */
import type { Operation } from '../operation.js';
import type { QueryParameter } from '../queries.js';

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

export const backupOperations = {
  backup: {
    method: 'GET',
    path: '/backup',
    servedBy: 'query',
    access: 'admin_alone',
    summary: 'Download everything as one archive',
    query: backupQuery,
    download: true,
    replies: { 200: backupReply },
  },
} as const satisfies Record<string, Operation>;
