/** The vector index ports. Only the vector indexer writes points; a hit is a candidate, never trusted before it is hydrated. */
import type { MemoryFilter } from '../contract/filter.js';
import type { MemoryId, Timestamp } from '../contract/memory.js';

/** One memory's vector and everything a filter may ask for. */
export type Point = {
  readonly id: MemoryId;
  /** The memory version this point shows. */
  readonly version: number;
  /** Unit length or not: cosine is what counts. Every component finite, not all zero, length = the index's dimension. */
  readonly vector: Float32Array;
  /** The model that made the vector; `supplied` for a caller's own. */
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

export interface VectorIndexReader {
  readonly dimension: number;
  /** Resolves only when the engine really answered. */
  ping(): Promise<void>;
  /**
   * The nearest admitted points by cosine, best first, ties by id ascending, at most `limit`. The filter is part of the search: a
   * narrow one still fills `limit`. Throws ValidationError for a vector of another length, DependencyError('vectors') when down.
   */
  search(request: {
    readonly vector: Float32Array;
    readonly limit: number;
    readonly filter: MemoryFilter;
  }): Promise<readonly VectorHit[]>;
  /** The versions of those that have a point. */
  versions(ids: readonly MemoryId[]): Promise<ReadonlyMap<MemoryId, number>>;
  count(request: { readonly excludedTypes: readonly string[] }): Promise<number>;
}

export interface VectorIndexWriter {
  /**
   * Writes each point only where the stored version (of point or removal) is older; durable and visible to `search` when it
   * resolves. Throws PoisonError for a vector that no index can hold (length, a component that is not finite), naming the memory.
   */
  upsert(points: readonly Point[]): Promise<void>;
  /** Removes where the stored version is older, and remembers the version, so that an older upsert coming late stays out. */
  remove(removals: readonly { readonly id: MemoryId; readonly version: number }[]): Promise<void>;
}
