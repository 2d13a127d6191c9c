/** The kinds of drift between graph and vector index, which the vector indexer repairs. Pure. */
import type { LoadedMemory } from '../../ports/graph.js';
import type { ScannedPoint } from '../../ports/vectors.js';
import { comparePoint } from '../comparison/compare-point.js';

/**
 * `missing`: a memory without a point. `orphaned`: a point without a memory. `stale`: a point of an older version, of
 * another model, or with another payload than its memory.
 */
export type DriftKind = 'missing' | 'orphaned' | 'stale';

export type Expected = {
  /** The model of the embedder. A point with a supplied vector has its own. */
  readonly model: string;
  /** Memories of these types, and orphaned points of these types, are not compared. */
  readonly excludedTypes: readonly string[];
};

/** Null where both agree. A point of a newer version is not drift of the index: the graph follows. */
export function driftKindOf(
  loaded: LoadedMemory | undefined,
  point: ScannedPoint | undefined,
  { model, excludedTypes }: Expected,
): DriftKind | null {
  if (excludedTypes.includes(loaded?.memory.type ?? point?.payload.type ?? '')) return null;
  const difference = comparePoint(loaded, point, model);
  switch (difference) {
    case null:
    case 'index is newer':
      return null;
    case 'index lacks':
      return 'missing';
    case 'index has extra':
      return 'orphaned';
    case 'index is older':
    case 'index has another model':
    case 'index differs':
      return 'stale';
    default:
      return difference satisfies never;
  }
}
