/**
 * Reads memories, their successions and the successors in one snapshot. The caller caches memories from earlier reads
 * and says which ones, so most calls return no body: a recall asks for some hundred memories, and few of them have
 * changed since the last one.
 */
import type { MemoryId } from '../../../../contract/memory.js';
import { type Succession, SUCCESSOR_LIMIT } from '../../../../ports/graph.js';
import type { Database, SqlRow } from '../../threads/database.js';
import { procedure } from '../../threads/host.js';
import { MEMORY_COLUMNS } from '../schema/rows.js';
import { readMemories } from './read-memories.js';
import { readSuccessions, SUPERSEDES } from './read-successions.js';

export type LineageRequest = {
  /** Joined by LINE, like `stamps`: one text is sent to another thread much faster than some hundred. */
  readonly ids: string;
  /** For each id: the stamp of the memory that the caller caches; '' for none. */
  readonly stamps: string;
  /** The epoch at which all cached memories that are `checked` were current; null for none. */
  readonly epoch: string | null;
  /** For each id: 1 when the cached memory was current at `epoch`, and 2 when it also had successors. */
  readonly checked: Uint8Array;
  readonly hops: number;
};

export type LineageRows = {
  /** Differs after any change of the graph, but not after a recorded access. Null while the graph has no mark. */
  readonly epoch: string | null;
  /** The memories that the caller has not cached in this state. */
  readonly changed: readonly { readonly index: number; readonly row: SqlRow }[];
  /** Indexes of absent memories. */
  readonly absent: readonly number[];
  /** Indexes of memories with successors. */
  readonly superseded: readonly number[];
  readonly successions: readonly Succession[];
  readonly successors: readonly SqlRow[];
};

const EPOCH = "SELECT journal_id || ' ' || changes AS epoch FROM graph_mark";
const STATE = `SELECT m.n, m.version || ' ' || m.last_accessed AS stamp, ${SUPERSEDES} AS superseded FROM memories AS m WHERE m.id = ? AND m.present = 1`;
const BODY = `SELECT ${MEMORY_COLUMNS} FROM memories AS m JOIN memory_bodies AS b ON b.n = m.n WHERE m.n = ?`;

export const LINE = '\n';

/** Changes when a version or `last_accessed` changes. */
export function stampOf({
  version,
  last_accessed: at,
}: {
  readonly version: number;
  readonly last_accessed: string;
}): string {
  return `${version} ${at}`;
}

export const readLineages = procedure(
  import.meta.url,
  'readLineages',
  (database, { checked, hops, epoch: known, ...joined }: LineageRequest): LineageRows => {
    const ids = (joined.ids === '' ? [] : joined.ids.split(LINE)) as MemoryId[]; // as the caller joined them
    const stamps = joined.stamps.split(LINE);
    const epoch = database.get(EPOCH)?.['epoch'];
    const isSame = typeof epoch === 'string' && epoch === known;
    const changed: { readonly index: number; readonly row: SqlRow }[] = [];
    const absent: number[] = [];
    const superseded: number[] = [];
    ids.forEach((id, index) => {
      const cached = isSame ? (checked[index] ?? 0) : 0;
      if (cached === 2) superseded.push(index);
      if (cached > 0) return;
      const state = database.get(STATE, [id]);
      if (state === undefined) return void absent.push(index);
      if (state['superseded'] === 1) superseded.push(index);
      if (state['stamp'] !== stamps[index]) changed.push({ index, row: bodyOf(database, state) });
    });
    const successions = successionsOf(database, { ids: superseded.map((index) => ids[index]), hops });
    const asked = new Set(ids);
    const others = new Set(successions.map(({ target }) => target).filter((id) => !asked.has(id)));
    return {
      epoch: typeof epoch === 'string' ? epoch : null,
      changed,
      absent,
      superseded,
      successions,
      successors: readMemories.run(database, [...others].slice(0, SUCCESSOR_LIMIT)),
    };
  },
);

/** Most memories have no successor, and only the others are looked up. */
function successionsOf(
  database: Database,
  { ids, hops }: { readonly ids: readonly (MemoryId | undefined)[]; readonly hops: number },
): readonly Succession[] {
  const sources = ids.filter((id) => id !== undefined);
  return sources.length === 0 ? [] : readSuccessions.run(database, { ids: sources, hops });
}

function bodyOf(database: Database, { n }: SqlRow): SqlRow {
  const row = database.get(BODY, [n ?? null]);
  if (row === undefined) throw new Error(`The memory in row ${n} has no body`);
  return row;
}
