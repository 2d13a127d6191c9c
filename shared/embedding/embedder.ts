/** The embedding ports: text to vector, and the cache that pays for no text twice. */
import type { MemoryId } from '../contract/memory.js';

export interface Embedder {
  /** Names model and dimension; part of every cache reference. */
  readonly model: string;
  readonly dimension: number;
  /**
   * One vector for each text, in order. `query` is served before waiting documents. Throws DependencyError('embedding') when the
   * provider fails (retryable), PoisonError when it refuses a text for good. Never makes a vector up.
   */
  embed(
    texts: readonly string[],
    options: { readonly purpose: 'query' | 'document'; readonly signal?: AbortSignal },
  ): Promise<readonly Float32Array[]>;
  close(): Promise<void>;
}

/** Content-addressed: reference -> vector, kept beside the journal so that a replay or a rebuild needs no provider. */
export interface EmbeddingCache {
  get(refs: readonly string[]): Promise<ReadonlyMap<string, Float32Array>>;
  /** Keeps vectors and who uses them; durable when it resolves. Writing a reference again changes nothing. */
  put(
    entries: readonly { readonly ref: string; readonly memoryId: MemoryId; readonly vector: Float32Array }[],
  ): Promise<void>;
  /** Forgets that these memories use anything, and drops every entry that nobody else uses. */
  release(memoryIds: readonly MemoryId[]): Promise<void>;
}
