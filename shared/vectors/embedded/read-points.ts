/** Reads stored points without their vectors, also while another process has the file. */
import type { MemoryId } from '../../contract/memory.js';
import type { SqlRow } from '../../sqlite/database.js';
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import type { PointPayload, PointReader, ScannedPoint } from '../vectors.js';
import { rethrowAsVectors } from './rethrow-as-vectors.js';

const COLUMNS = 'SELECT id, version, model, payload FROM points WHERE vector IS NOT NULL';

export function createEmbeddedPointReader({ host }: { readonly host: Pick<SqliteHost, 'read'> }): PointReader {
  return {
    points: async (ids) => (await host.read(readPoints, ids).catch(rethrowAsVectors)).map(scannedPoint),
    scan: async (request) => (await host.read(scanPoints, request).catch(rethrowAsVectors)).map(scannedPoint),
  };
}

export const readPoints = procedure(import.meta.url, 'readPoints', (database, ids: readonly MemoryId[]): SqlRow[] =>
  ids.flatMap((id) => database.all(`${COLUMNS} AND id = ?`, [id])),
);

export const scanPoints = procedure(
  import.meta.url,
  'scanPoints',
  (database, { after, limit }: { readonly after: string; readonly limit: number }): SqlRow[] =>
    database.all(`${COLUMNS} AND id > ? ORDER BY id LIMIT ?`, [after, limit]),
);

/** The casts are safe because write-points.ts wrote the row from a Point. */
function scannedPoint(row: SqlRow): ScannedPoint {
  return {
    id: row['id'] as MemoryId,
    version: Number(row['version']),
    model: String(row['model']),
    payload: JSON.parse(String(row['payload'])) as PointPayload,
  };
}
