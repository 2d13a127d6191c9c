/**
 * The state of the scan thread: the catalogue, the quantized vectors of the same slots, and some of their exact
 * vectors.
 */
import type { MemoryId } from '../../../contract/memory.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { PointPayload } from '../../../ports/vectors.js';
import type { Database, SqlRow } from '../threads/database.js';
import { type Catalogue, createCatalogue } from './catalogue.js';
import { createExactVectors, type ExactVectors } from './exact-vectors.js';
import { createQuantizedVectors, type QuantizedVectors } from './quantized-vectors.js';

export type IndexState = {
  /** The table of the points. */
  readonly table: string;
  readonly dimension: number;
  readonly catalogue: Catalogue;
  readonly exact: ExactVectors;
  readonly quantized: QuantizedVectors;
};

const STATE_KEY = 'vectors';

export function openState(database: Database, { table, dimension }: Pick<IndexState, 'table' | 'dimension'>): void {
  const catalogue = createCatalogue();
  const sql = `SELECT vector FROM ${table} WHERE id = ? AND vector IS NOT NULL`;
  const state: IndexState = {
    table,
    dimension,
    catalogue,
    exact: createExactVectors(dimension, {
      read: (slot) => {
        const entry = catalogue.entries[slot];
        const row = entry && database.get(sql, [entry.id]);
        return row === undefined ? null : componentsOf(row['vector'] as Uint8Array); // not null, as the statement asks
      },
    }),
    quantized: createQuantizedVectors(dimension),
  };
  database.state.set(STATE_KEY, state);
}

export function stateOf(database: Database): IndexState {
  const state = database.state.get(STATE_KEY);
  if (state === undefined) throw new DependencyError('vectors', 'The vector index is not loaded: restart the service');
  return state as IndexState; // only openState sets it
}

/** Applies one row of `points` to the state. A row without a vector is a removal. */
export function applyRow({ catalogue, exact, quantized }: IndexState, row: SqlRow): void {
  const id = row['id'] as MemoryId; // as the writer wrote it
  const vector = row['vector'];
  if (!(vector instanceof Uint8Array)) {
    catalogue.drop(id);
    return;
  }
  const payload = JSON.parse(String(row['payload'])) as PointPayload; // written from a PointPayload by write-points.ts
  const slot = catalogue.put({ id, version: Number(row['version']), payload });
  exact.forget(slot);
  quantized.write(slot, componentsOf(vector));
}

function componentsOf({ buffer, byteOffset, byteLength }: Uint8Array): Float32Array {
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}
