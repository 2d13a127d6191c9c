/** Procedures of the writer thread: write points and removals, each only if the stored version is older. */
import { procedure } from '../../sqlite/host.js';
import type { Point } from '../vectors.js';

export type Removal = { readonly id: string; readonly version: number };

/** `replaceEqual` writes also over the same version. */
export type Writes<T> = { readonly items: readonly T[]; readonly replaceEqual: boolean };

export const writePoints = procedure(
  import.meta.url,
  'writePoints',
  (database, { items, replaceEqual }: Writes<Point>): void => {
    for (const { id, version, model, vector, payload } of items) {
      const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
      database.run(statement(replaceEqual), [id, version, model, bytes, JSON.stringify(payload)]);
    }
  },
);

export const removePoints = procedure(
  import.meta.url,
  'removePoints',
  (database, { items, replaceEqual }: Writes<Removal>): void => {
    for (const { id, version } of items) database.run(statement(replaceEqual), [id, version, null, null, null]);
  },
);

function statement(replaceEqual: boolean): string {
  return replaceEqual ? REPLACE : WRITE;
}

const UPSERT = `
  INSERT INTO points (id, version, model, vector, payload) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
     SET version = excluded.version, model = excluded.model, vector = excluded.vector, payload = excluded.payload`;
const WRITE = `${UPSERT} WHERE excluded.version > version`;
const REPLACE = `${UPSERT} WHERE excluded.version >= version`;
