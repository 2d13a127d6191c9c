/** The embedding ports: the embedder (text to vector), and the cache that makes embedding a text twice unnecessary. */
import { createHash } from 'node:crypto';
import type { MemoryId } from '../contract/memory.js';
import type { GiveWay } from '../kernel/concurrency/give-way.js';

export type EmbedOptions = {
  readonly purpose: 'query' | 'document';
  readonly signal?: AbortSignal;
  /** A `document` of a caller that stored it alone: it is served before other documents. */
  readonly isUrgent?: boolean;
  /** For texts that may wait. An encoder on this machine gives way before each of them; a provider ignores it. */
  readonly giveWay?: GiveWay;
  /**
   * The model that must make the vectors, where a rebuild of the index may change the model at any time. Default: the
   * present one.
   */
  readonly model?: string;
};

export interface Embedder {
  /** The name of the model with its dimension; part of every cache reference. */
  readonly model: string;
  readonly dimension: number;
  /**
   * One vector for each text, in order. A `query` is served before waiting documents. Throws
   * DependencyError('embedding') when the provider fails (retryable), PoisonError when it rejects a text permanently.
   * Never invents a vector.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** One vector in the embedding cache, with a memory that uses it. */
export type CacheEntry = { readonly ref: string; readonly memoryId: MemoryId; readonly vector: Float32Array };

/** Content-addressed: reference -> vector. Stored next to the journal, so a replay or a rebuild needs no provider. */
export interface EmbeddingCache {
  get(refs: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /**
   * Stores vectors and the memories that use them; durable when it resolves. Writing a reference again changes nothing,
   * or its vector with `replace`. Leaves out the entries of deleted memories: a deletion released them, perhaps while
   * the caller waited for their vectors.
   */
  put(entries: readonly CacheEntry[], options?: { readonly replace?: boolean }): Promise<void>;
  /** Removes these memories as users, and drops every vector that no other memory uses. */
  release(memoryIds: readonly MemoryId[]): Promise<void>;
}

/** One memory that uses a vector of the cache. */
export type EmbeddingUse = Pick<CacheEntry, 'ref' | 'memoryId'> & {
  /** Since when nothing needs it, in ms since 1970; null: it is needed, or was not checked yet. */
  readonly unusedSince: number | null;
};

/** Finds and removes what the cache has for no reader. */
export interface EmbeddingUses {
  /** Uses after this one in the order of memory and reference, at most `limit`; null starts. */
  list(request: {
    readonly after: Pick<EmbeddingUse, 'memoryId' | 'ref'> | null;
    readonly limit: number;
  }): Promise<readonly EmbeddingUse[]>;
  /** Records since when nothing needs these uses; null: they are needed. */
  mark(uses: readonly EmbeddingUse[], since: number | null): Promise<void>;
  /**
   * Removes those of these uses that are still marked, and drops every vector that no other memory uses. A `put` of a
   * use removes its mark.
   */
  remove(uses: readonly EmbeddingUse[]): Promise<void>;
}

/** Reads the whole embedding cache, for a backup. */
export interface EmbeddingScan {
  /**
   * Entries after this one in the order of memory and reference, at most `limit`; null starts. A vector that several
   * memories use comes once for each.
   */
  scan(request: {
    readonly after: Pick<CacheEntry, 'memoryId' | 'ref'> | null;
    readonly limit: number;
  }): Promise<readonly CacheEntry[]>;
}

const SUPPLIED_PREFIX = 'supplied:';

/** The reference of a supplied vector. Equal vectors have equal references, also from different callers. */
export function suppliedRef(vector: Float32Array): string {
  const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
  return `${SUPPLIED_PREFIX}${createHash('sha256').update(bytes).digest('hex')}`;
}

export function isSupplied(ref: string): boolean {
  return ref.startsWith(SUPPLIED_PREFIX);
}

/**
 * The reference of a text in the embedding cache: the model (`Embedder.model`) and the SHA-256 of the text. Equal texts
 * have equal references, so a replay finds the vectors that exist.
 */
export function embeddingRef(model: string, text: string): string {
  return `${model}:${createHash('sha256').update(text).digest('hex')}`;
}
