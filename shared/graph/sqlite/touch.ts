/** Notes that memories were read. */
import type { MemoryId, Timestamp } from '../../contract/memory.js';
import { procedure } from '../../sqlite/host.js';

type Touch = { readonly ids: readonly MemoryId[]; readonly at: Timestamp };

export const touchMemories = procedure(import.meta.url, 'touchMemories', (database, { ids, at }: Touch): void => {
  database.run(
    'UPDATE memories SET last_accessed = ?1 WHERE id IN (SELECT value FROM json_each(?2)) AND present = 1 AND last_accessed < ?1',
    [at, JSON.stringify(ids)],
  );
});
