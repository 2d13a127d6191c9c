/** Procedures of the writer thread: write points and removals, each only if the stored version is older. */
import { procedure } from '../../sqlite/host.js';
import type { Point } from '../vectors.js';

export type Removal = { readonly id: string; readonly version: number };

export const writePoints = procedure(import.meta.url, 'writePoints', (database, points: readonly Point[]): void => {
  for (const { id, version, model, vector, payload } of points) {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
    database.run(WRITE, [id, version, model, bytes, JSON.stringify(payload)]);
  }
});

export const removePoints = procedure(
  import.meta.url,
  'removePoints',
  (database, removals: readonly Removal[]): void => {
    for (const { id, version } of removals) database.run(WRITE, [id, version, null, null, null]);
  },
);

const WRITE = `
  INSERT INTO points (id, version, model, vector, payload) VALUES (?, ?, ?, ?, ?)
  ON CONFLICT (id) DO UPDATE
     SET version = excluded.version, model = excluded.model, vector = excluded.vector, payload = excluded.payload
   WHERE excluded.version > version`;
