/** What the scan thread holds: the catalogue, and of the same slots the vectors and their codes. */
import type { Database, SqlRow } from '../../sqlite/database.js';
import { DependencyError } from '../../kernel/errors.js';
import type { MemoryId } from '../../contract/memory.js';
import type { PointPayload } from '../vectors.js';
import { createCatalogue, type Catalogue } from './catalogue.js';
import { createCodeMemory, type CodeMemory } from './code-memory.js';
import { createVectorMemory, type VectorMemory } from './vector-memory.js';

export type IndexState = {
  readonly dimension: number;
  readonly catalogue: Catalogue;
  readonly vectors: VectorMemory;
  readonly codes: CodeMemory;
};

const STATE_KEY = 'vectors';

export function openState(database: Database, dimension: number): void {
  const state: IndexState = {
    dimension,
    catalogue: createCatalogue(),
    vectors: createVectorMemory(dimension),
    codes: createCodeMemory(dimension),
  };
  database.state.set(STATE_KEY, state);
}

export function stateOf(database: Database): IndexState {
  const state = database.state.get(STATE_KEY);
  if (state === undefined) throw new DependencyError('vectors', 'The vector index is not loaded: restart the service');
  return state as IndexState; // only openState sets it
}

/** Makes the state show one row of `points`, whatever it showed before. A row without a vector is a removal. */
export function showRow({ catalogue, vectors, codes }: IndexState, row: SqlRow): void {
  const id = row['id'] as MemoryId; // as the writer put it
  const vector = row['vector'];
  if (!(vector instanceof Uint8Array)) {
    catalogue.drop(id);
    return;
  }
  const payload = JSON.parse(String(row['payload'])) as PointPayload; // written from a PointPayload by write-points.ts
  const slot = catalogue.put({ id, version: Number(row['version']), payload });
  const components = new Float32Array(vector.buffer, vector.byteOffset, vector.byteLength / 4);
  vectors.write(slot, components);
  codes.write(slot, components);
}
