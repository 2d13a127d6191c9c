/** Compares one memory of the graph with its point in the vector index. Pure. */
import type { LoadedMemory } from '../../ports/graph.js';
import { isExpectedModel, isSamePayload, pointPayload } from '../../ports/point-payload.js';
import type { ScannedPoint } from '../../ports/vectors.js';
import type { DifferenceKind } from './differences.js';

export type PointDifference = Extract<DifferenceKind, `index ${string}`>;

/** Null where both agree. `model`: of the embedder. */
export function comparePoint(
  loaded: LoadedMemory | undefined,
  point: ScannedPoint | undefined,
  model: string,
): PointDifference | null {
  if (loaded === undefined) return point === undefined ? null : 'index has extra';
  if (point === undefined) return 'index lacks';
  if (point.version !== loaded.version) return point.version < loaded.version ? 'index is older' : 'index is newer';
  if (!isExpectedModel(point.model, { vectorRef: loaded.vectorRef, embedderModel: model }))
    return 'index has another model';
  return isSamePayload(point.payload, pointPayload(loaded.memory)) ? null : 'index differs';
}
