/** Procedures of the writer thread: write points and removals, each only if the stored version is older. */
import type { Point } from '../../../ports/vectors.js';
import { procedure } from '../threads/host.js';
import { spaceTable } from './space-table.js';

/** Points or removals in one transaction. */
export const WRITE_LIMIT = 500;

export type Removal = { readonly id: string; readonly version: number };

/** `space`: its number. `replaceEqual` writes also over the same version. */
export type Writes<T> = { readonly space: number; readonly items: readonly T[]; readonly replaceEqual: boolean };

export const writePoints = procedure(
  import.meta.url,
  'writePoints',
  (database, { space, items, replaceEqual }: Writes<Point>): void => {
    const sql = upsert(space, replaceEqual);
    for (const { id, version, model, vector, payload } of items) {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      database.run(sql, [id, version, model, bytes, JSON.stringify(payload)]);
    }
  },
);

export const removePoints = procedure(
  import.meta.url,
  'removePoints',
  (database, { space, items, replaceEqual }: Writes<Removal>): void => {
    const sql = upsert(space, replaceEqual);
    for (const { id, version } of items) database.run(sql, [id, version, null, null, null]);
  },
);

function upsert(space: number, replaceEqual: boolean): string {
  return `INSERT INTO ${spaceTable(space)} (id, version, model, vector, payload) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
     SET version = excluded.version, model = excluded.model, vector = excluded.vector, payload = excluded.payload
   WHERE excluded.version ${replaceEqual ? '>=' : '>'} version`;
}
