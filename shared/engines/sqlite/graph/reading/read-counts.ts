/** Reads the numbers of memories and associations from the tables of counts. */
import { procedure } from '../../threads/host.js';

type Counts = { memories: number; associations: number; unenriched: number };

const COUNTS = `SELECT
  (SELECT coalesce(sum(memories), 0) FROM memory_counts WHERE type NOT IN (SELECT value FROM json_each(?1))) AS memories,
  (SELECT coalesce(sum(unenriched), 0) FROM memory_counts WHERE type NOT IN (SELECT value FROM json_each(?1))) AS unenriched,
  (SELECT associations FROM association_counts) AS associations`;

export const readCounts = procedure(
  import.meta.url,
  'readCounts',
  (database, { excludedTypes }: { readonly excludedTypes: readonly string[] }): Counts => {
    const row = database.get(COUNTS, [JSON.stringify(excludedTypes)]);
    return {
      memories: Number(row?.['memories']),
      associations: Number(row?.['associations']),
      unenriched: Number(row?.['unenriched']),
    };
  },
);
