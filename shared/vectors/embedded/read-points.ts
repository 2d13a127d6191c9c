/** Reads stored points in pages, without their vectors. */
import type { MemoryId } from '../../contract/memory.js';
import type { SqlRow } from '../../sqlite/database.js';
import { procedure } from '../../sqlite/host.js';
import type { PointPayload, ScannedPoint } from '../vectors.js';

const POINTS = 'SELECT id, version, model, payload FROM points WHERE id > ? AND vector IS NOT NULL ORDER BY id LIMIT ?';

export const readPoints = procedure(
  import.meta.url,
  'readPoints',
  (database, { after, limit }: { readonly after: string; readonly limit: number }): SqlRow[] =>
    database.all(POINTS, [after, limit]),
);

/** The casts are safe because write-points.ts wrote the row from a Point. */
export function scannedPoint(row: SqlRow): ScannedPoint {
  return {
    id: row['id'] as MemoryId,
    version: Number(row['version']),
    model: String(row['model']),
    payload: JSON.parse(String(row['payload'])) as PointPayload,
  };
}
