/** Procedures of the scan thread: loading what the writer wrote, and answering from it. */
import type { MemoryFilter } from '../../contract/filter.js';
import type { MemoryId } from '../../contract/memory.js';
import { procedure } from '../../sqlite/host.js';
import type { VectorHit } from '../vectors.js';
import { admittedSlots } from './admit.js';
import { openState, showRow, stateOf } from './index-state.js';
import { createNearest } from './nearest.js';

/** Rows in one page of loading: 2 MB of vectors of 512. */
const PAGE_ROWS = 1_000;

/** Empties the thread's state, and tells the dimension of the points that are there; null without any. */
export const openIndex = procedure(import.meta.url, 'openIndex', (database, dimension: number): number | null => {
  openState(database, dimension);
  const row = database.get('SELECT length(vector) / 4 AS dimension FROM points WHERE vector IS NOT NULL LIMIT 1');
  return row === undefined ? null : Number(row['dimension']);
});

/** Loads the rows after `after`; tells the last one's number, or null when none was left. */
export const loadPage = procedure(import.meta.url, 'loadPage', (database, after: number): number | null => {
  const state = stateOf(database);
  const rows = database.all('SELECT n, id, version, vector, payload FROM points WHERE n > ? ORDER BY n LIMIT ?', [
    after,
    PAGE_ROWS,
  ]);
  for (const row of rows) showRow(state, row);
  const last = rows.at(-1);
  return last === undefined ? null : Number(last['n']);
});

/** Makes these points show what is stored; one that is shown already costs a look at its version. */
export const loadPoints = procedure(import.meta.url, 'loadPoints', (database, ids: readonly MemoryId[]): void => {
  const state = stateOf(database);
  for (const id of ids) {
    const shown = state.catalogue.versionOf(id) ?? -1;
    const row = database.get('SELECT id, version, vector, payload FROM points WHERE id = ? AND version <> ?', [
      id,
      shown,
    ]);
    if (row !== undefined) showRow(state, row);
  }
});

type Search = { readonly vector: Float32Array; readonly limit: number; readonly filter: MemoryFilter };

/** Fewer slots are scanned as they are: a quarter of a millisecond. */
const SCANNED_WHOLE = 1_000;

/** `vector` has unit length. At 100,000 memories of 512 components the codes make 6 ms of 21. */
export const searchPoints = procedure(
  import.meta.url,
  'searchPoints',
  (database, { vector, limit, filter }: Search): readonly VectorHit[] => {
    const { catalogue, vectors, codes } = stateOf(database);
    const admitted = admittedSlots(catalogue, filter);
    const slots = admitted.length > SCANNED_WHOLE ? codes.promising(vector, admitted, limit) : admitted;
    const nearest = createNearest(limit);
    vectors.score(vector, slots, (slot, product) => {
      if (product < nearest.floor()) return;
      const entry = catalogue.entries[slot];
      if (entry !== undefined) nearest.offer({ id: entry.id, similarity: product });
    });
    return nearest.hits().map(({ id, similarity }) => ({ id, similarity: Math.max(-1, Math.min(1, similarity)) }));
  },
);

export const readVersions = procedure(
  import.meta.url,
  'readVersions',
  (database, ids: readonly MemoryId[]): ReadonlyMap<MemoryId, number> => {
    const { catalogue } = stateOf(database);
    return new Map(
      ids.flatMap((id) => {
        const version = catalogue.versionOf(id);
        return version === undefined ? [] : [[id, version] as const];
      }),
    );
  },
);

export const countPoints = procedure(
  import.meta.url,
  'countPoints',
  (database, excludedTypes: readonly string[]): number => {
    const { catalogue } = stateOf(database);
    return [...new Set(excludedTypes)].reduce((left, type) => left - catalogue.countOfType(type), catalogue.size());
  },
);

export const pingIndex = procedure(import.meta.url, 'pingIndex', (database): void => {
  stateOf(database);
  database.get('SELECT 1');
});
