/** Reads stored points without their vectors, also while another process has the file. */
import type { MemoryId } from '../../contract/memory.js';
import type { SqlRow } from '../../sqlite/database.js';
import { procedure, type SqliteHost } from '../../sqlite/host.js';
import type { PointPayload, PointReader, ScannedPoint } from '../vectors.js';
import { rethrowAsVectors } from './rethrow-as-vectors.js';
import { spaceTable } from './space-table.js';

/** `space`: the number of the vector space. */
export function createEmbeddedPointReader({
  host,
  space,
}: {
  readonly host: Pick<SqliteHost, 'read'>;
  readonly space: number;
}): PointReader {
  return {
    points: async (ids) => (await host.read(readPoints, { space, ids }).catch(rethrowAsVectors)).map(scannedPoint),
    scan: async (request) =>
      (await host.read(scanPoints, { space, ...request }).catch(rethrowAsVectors)).map(scannedPoint),
  };
}

type InSpace = { readonly space: number };

export const readPoints = procedure(
  import.meta.url,
  'readPoints',
  (database, { space, ids }: InSpace & { readonly ids: readonly MemoryId[] }): SqlRow[] =>
    ids.flatMap((id) => database.all(`${presentIn(space)} AND id = ?`, [id])),
);

export const scanPoints = procedure(
  import.meta.url,
  'scanPoints',
  (database, { space, after, limit }: InSpace & { readonly after: string; readonly limit: number }): SqlRow[] =>
    database.all(`${presentIn(space)} AND id > ? ORDER BY id LIMIT ?`, [after, limit]),
);

function presentIn(space: number): string {
  return `SELECT id, version, model, payload FROM ${spaceTable(space)} WHERE vector IS NOT NULL`;
}

/** The casts are safe because write-points.ts wrote the row from a Point. */
function scannedPoint(row: SqlRow): ScannedPoint {
  return {
    id: row['id'] as MemoryId,
    version: Number(row['version']),
    model: String(row['model']),
    payload: JSON.parse(String(row['payload'])) as PointPayload,
  };
}
