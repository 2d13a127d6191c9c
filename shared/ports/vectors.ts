/**
 * The vector index ports. Only the vector indexer writes points. A hit is a candidate, which recall checks by hydrating
 * it from the graph.
 */
import type { MemoryFilter } from '../contract/filter.js';
import type { MemoryId, Timestamp } from '../contract/memory.js';

/** The vector of one memory, and all fields that a filter can test. */
export type Point = {
  readonly id: MemoryId;
  /** The version of the memory that this point was made from. */
  readonly version: number;
  /**
   * Any length, because hits compare by cosine. Every component is finite, not all are zero, and their number is the
   * dimension of the index.
   */
  readonly vector: Float32Array;
  /** The model that made the vector; `supplied` for a vector of the caller. */
  readonly model: string;
  readonly payload: PointPayload;
};

export type PointPayload = {
  readonly type: string;
  readonly importance: number;
  readonly confidence: number;
  readonly tags: readonly string[];
  readonly tagPrefixes: readonly string[];
  readonly timestamp: Timestamp;
  readonly updatedAt: Timestamp;
  readonly validFrom: Timestamp | null;
  readonly validUntil: Timestamp | null;
  readonly archived: boolean;
};

export type VectorHit = { readonly id: MemoryId; /** Cosine, -1 to 1. */ readonly similarity: number };

/** A point without its vector. */
export type ScannedPoint = Omit<Point, 'vector'>;

export interface VectorIndexReader {
  readonly dimension: number;
  /** Resolves only after a reply of the engine. */
  ping(): Promise<void>;
  /**
   * The nearest admitted points by cosine, best first, ties by id ascending, at most `limit`. The filter is applied
   * inside the search, so a narrow one still fills `limit`. Throws ValidationError for a vector of another dimension,
   * DependencyError('vectors') when the engine is down.
   */
  search(request: {
    readonly vector: Float32Array;
    /**
     * The model that made the vector, where a rebuild of the index may change the model at any time. Default: that of
     * the index.
     */
    readonly model?: string;
    readonly limit: number;
    readonly filter: MemoryFilter;
  }): Promise<readonly VectorHit[]>;
  /** The versions of the points among `ids`; an id without a point is absent. */
  versions(ids: readonly MemoryId[]): Promise<ReadonlyMap<MemoryId, number>>;
  count(request: { readonly excludedTypes: readonly string[] }): Promise<number>;
  /** The points among `ids`, in no order. At most 1,000 ids in one call. */
  points(ids: readonly MemoryId[]): Promise<readonly ScannedPoint[]>;
  /**
   * The unit-length vectors of the points among `ids`; an id without a point is absent. At most 1,000 ids in one call.
   */
  vectors(ids: readonly MemoryId[]): Promise<ReadonlyMap<MemoryId, Float32Array>>;
  /**
   * The points in order of their ids. `after`: the last id of the page before, '' for the first page. At most 1,000.
   */
  scan(request: { readonly after: string; readonly limit: number }): Promise<readonly ScannedPoint[]>;
}

export type UpsertOptions = {
  /**
   * The model of the index for points that callers supplied, where a rebuild may change it at any time. Default: the
   * present one.
   */
  readonly model?: string;
};

export interface VectorIndexWriter {
  /**
   * Writes each point unless the stored version (of a point or a removal) is newer. When it resolves, the points are
   * durable and visible to `search`. Throws PoisonError with the id of the memory for a vector that no index can store
   * (wrong dimension, a component that is not finite).
   */
  upsert(points: readonly Point[], options?: UpsertOptions): Promise<void>;
  /**
   * Removes each point unless the stored version is newer, and keeps the version as a tombstone against late older
   * upserts.
   */
  remove(removals: readonly { readonly id: MemoryId; readonly version: number }[]): Promise<void>;
}

/** Reads whole points, for comparisons. */
export type PointReader = Pick<VectorIndexReader, 'points' | 'scan'>;
