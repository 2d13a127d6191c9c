import type { Postgres } from '../../postgres/postgres.js';
import type { EmbeddingCache } from '../embedder.js';
import { getEntries, putEntries, releaseMemories } from './cache-entries.js';

export function createPostgresEmbeddingCache({ postgres }: { readonly postgres: Postgres }): EmbeddingCache {
  return {
    get: (refs) => getEntries(postgres, refs),
    put: (entries) => putEntries(postgres, entries),
    release: async (memoryIds) => {
      if (memoryIds.length > 0) await postgres.transaction((transaction) => releaseMemories(transaction, memoryIds));
    },
  };
}
