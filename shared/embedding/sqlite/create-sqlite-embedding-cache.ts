import type { MemoryId } from '../../contract/memory.js';
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import type { EmbeddingCache } from '../embedder.js';
import { getEntry, putEntry, releaseMemory, type CacheEntry } from './cache-entries.js';

export function createSqliteEmbeddingCache({ host }: { readonly host: SqliteHost }): EmbeddingCache {
  return {
    get: (refs) => host.read(getEntries, refs),
    put: async (entries) => {
      if (entries.length > 0) await host.write(putEntries, entries);
    },
    release: async (memoryIds) => {
      if (memoryIds.length > 0) await host.write(releaseMemories, memoryIds);
    },
  };
}

export const getEntries = procedure(
  import.meta.url,
  'getEntries',
  (database, refs: readonly string[]): Map<string, Float32Array> => {
    const found = new Map<string, Float32Array>();
    for (const ref of refs) {
      const vector = getEntry(database, ref);
      if (vector) found.set(ref, vector);
    }
    return found;
  },
);

export const putEntries = procedure(import.meta.url, 'putEntries', (database, entries: readonly CacheEntry[]): void => {
  for (const entry of entries) putEntry(database, entry);
});

export const releaseMemories = procedure(
  import.meta.url,
  'releaseMemories',
  (database, memoryIds: readonly MemoryId[]): void => {
    for (const memoryId of memoryIds) releaseMemory(database, memoryId);
  },
);
