/** Reads memories, their successions and the successors in one snapshot. */
import type { MemoryId } from '../../../contract/memory.js';
import type { SqlRow } from '../../../sqlite/database.js';
import { procedure } from '../../../sqlite/host.js';
import { type Succession, SUCCESSOR_LIMIT } from '../../graph.js';
import { readMemories } from './read-memories.js';
import { readSuccessions } from './read-successions.js';

type Request = { readonly ids: readonly MemoryId[]; readonly hops: number };
type Rows = { readonly memories: SqlRow[]; readonly successions: Succession[]; readonly successors: SqlRow[] };

export const readLineages = procedure(import.meta.url, 'readLineages', (database, request: Request): Rows => {
  const successions = readSuccessions.run(database, request);
  const asked = new Set(request.ids);
  const others = new Set(successions.map(({ target }) => target).filter((id) => !asked.has(id)));
  return {
    memories: readMemories.run(database, request.ids),
    successions,
    successors: readMemories.run(database, [...others].slice(0, SUCCESSOR_LIMIT)),
  };
});
