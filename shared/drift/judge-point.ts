/** Compares one memory of the graph with its point in the vector index. Pure. */
import { isDeepStrictEqual } from 'node:util';
import type { LoadedMemory } from '../graph/graph.js';
import { pointPayload, SUPPLIED_MODEL } from '../vectors/point-payload.js';
import type { ScannedPoint } from '../vectors/vectors.js';

/**
 * `missing`: a memory without a point. `orphaned`: a point without a memory. `stale`: a point of an older version, of another model, or with
 * another payload than its memory.
 */
export type DriftKind = 'missing' | 'orphaned' | 'stale';

export type Expected = {
  /** The model of the embedder. A point with a supplied vector has its own. */
  readonly model: string;
  /** Memories of these types, and orphaned points of these types, are not compared. */
  readonly excludedTypes: readonly string[];
};

/** Null where both agree. A point of a newer version is not drift of the index: the graph follows. */
export function judgePoint(
  loaded: LoadedMemory | undefined,
  point: ScannedPoint | undefined,
  { model, excludedTypes }: Expected,
): DriftKind | null {
  const type = loaded?.memory.type ?? point?.payload.type ?? '';
  if (excludedTypes.includes(type)) return null;
  if (loaded === undefined) return point === undefined ? null : 'orphaned';
  if (point === undefined) return 'missing';
  if (point.version > loaded.version) return null;
  const isRight =
    point.version === loaded.version &&
    isModelOf(loaded, point.model, model) &&
    isDeepStrictEqual(point.payload, pointPayload(loaded.memory));
  return isRight ? null : 'stale';
}

function isModelOf({ vectorRef }: LoadedMemory, actual: string, model: string): boolean {
  return actual === model || (vectorRef !== null && actual === SUPPLIED_MODEL);
}
