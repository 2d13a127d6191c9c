/** Procedures of the writer thread: write points and removals, never over a newer version. */
import type { Point } from '../../../ports/vectors.js';
import { procedure } from '../threads/host.js';
import { spaceTable } from './space-table.js';

/** Points or removals in one transaction. */
export const WRITE_LIMIT = 500;

export type Removal = { readonly id: string; readonly version: number };

/** `space`: its number. */
export type Writes<T> = { readonly space: number; readonly items: readonly T[] };

export const writePoints = procedure(
  import.meta.url,
  'writePoints',
  (database, { space, items }: Writes<Point>): void => {
    const sql = upsert(space);
    for (const { id, version, model, vector, payload } of items) {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      database.run(sql, [id, version, model, bytes, JSON.stringify(payload)]);
    }
  },
);

export const removePoints = procedure(
  import.meta.url,
  'removePoints',
  (database, { space, items }: Writes<Removal>): void => {
    const sql = upsert(space);
    for (const { id, version } of items) database.run(sql, [id, version, null, null, null]);
  },
);

function upsert(space: number): string {
  return `INSERT INTO ${spaceTable(space)} (id, version, model, vector, payload) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
     SET version = excluded.version, model = excluded.model, vector = excluded.vector, payload = excluded.payload
   WHERE excluded.version >= version`;
}
