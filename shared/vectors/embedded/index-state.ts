/** The state of the scan thread: the catalogue, and the exact and quantized vectors of the same slots. */
import type { MemoryId } from '../../contract/memory.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Database, SqlRow } from '../../sqlite/database.js';
import type { PointPayload } from '../vectors.js';
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
  const state: IndexState = {
    table,
    dimension,
    catalogue: createCatalogue(),
    exact: createExactVectors(dimension),
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
  const components = new Float32Array(vector.buffer, vector.byteOffset, vector.byteLength / 4);
  exact.write(slot, components);
  quantized.write(slot, components);
}
