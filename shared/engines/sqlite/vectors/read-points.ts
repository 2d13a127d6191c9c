/** Reads stored points and their vectors, also while another process has the file. */
import type { MemoryId } from '../../../contract/memory.js';
import type { PointPayload, PointReader, ScannedPoint, VectorIndexReader } from '../../../ports/vectors.js';
import type { SqlRow } from '../threads/database.js';
import { procedure, type SqliteHost } from '../threads/host.js';
import { rethrowAsVectors } from './rethrow-as-vectors.js';
import { spaceTable } from './space-table.js';

/** `space`: the number of the vector space. */
export function createEmbeddedPointReader({
  host,
  space,
}: {
  readonly host: Pick<SqliteHost, 'read'>;
  readonly space: number;
}): PointReader & Pick<VectorIndexReader, 'vectors'> {
  return {
    points: async (ids) => (await host.read(readPoints, { space, ids }).catch(rethrowAsVectors)).map(scannedPoint),
    scan: async (request) =>
      (await host.read(scanPoints, { space, ...request }).catch(rethrowAsVectors)).map(scannedPoint),
    vectors: (ids) => host.read(readVectors, { space, ids }).catch(rethrowAsVectors),
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

export const readVectors = procedure(
  import.meta.url,
  'readVectors',
  (database, { space, ids }: InSpace & { readonly ids: readonly MemoryId[] }): ReadonlyMap<MemoryId, Float32Array> => {
    const sql = `SELECT vector FROM ${spaceTable(space)} WHERE id = ? AND vector IS NOT NULL`;
    return new Map(
      ids.flatMap((id) => {
        const row = database.get(sql, [id]);
        return row === undefined ? [] : [[id, vectorOf(row)] as const];
      }),
    );
  },
);

function presentIn(space: number): string {
  return `SELECT id, version, model, payload FROM ${spaceTable(space)} WHERE vector IS NOT NULL`;
}

/** A copy, because the reply of a thread would carry the whole buffer of a view. The row is one of a point. */
function vectorOf(row: SqlRow): Float32Array {
  return new Float32Array(new Uint8Array(row['vector'] as Uint8Array).buffer);
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
