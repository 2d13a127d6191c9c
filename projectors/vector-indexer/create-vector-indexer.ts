/**
 * Keeps the vector index showing every memory as it is now: event -> vector -> point. Vectors come through the embedding cache, so a
 * replay or a rebuild pays for no text twice. When the embedder fails it waits; it never makes a vector up.
 */
import { MEMORY_EVENTS } from '../../shared/contract/events.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { PoisonError } from '../../shared/kernel/errors.js';
import type { Embedder, EmbeddingCache } from '../../shared/embedding/embedder.js';
import { embeddingRef } from '../../shared/embedding/embedding-ref.js';
import type { VectorIndexWriter } from '../../shared/vectors/vectors.js';
import type { Projector } from '../projector.js';
import { newestStates, type Deletion, type NewestState } from './newest-states.js';
import { pointOf } from './point-of.js';

/** Memories that are embedded, cached and written together: about a second of the bundled encoder, one call to a remote one. */
export const SLICE_MEMORIES = 32;

export const SUPPLIED_MODEL = 'supplied';

export function createVectorIndexer({
  embedder,
  cache,
  vectors,
}: {
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  readonly vectors: VectorIndexWriter;
}): Projector {
  async function index(slice: readonly NewestState[], signal: AbortSignal): Promise<void> {
    const found = await vectorsFor(slice, signal);
    await vectors.upsert(
      slice.map(({ version, state: { memory, vectorRef } }) => {
        const vector = found.get(vectorRef ?? embeddingRef(embedder.model, memory.content));
        if (vector === undefined) throw missingSupplied(memory.id);
        return pointOf(memory, { version, vector, model: vectorRef === null ? embedder.model : SUPPLIED_MODEL });
      }),
    );
  }

  /** By reference. What had to be embedded, and who uses it, is in the cache before this resolves. */
  async function vectorsFor(
    slice: readonly NewestState[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const texts = new Map<string, string>();
    for (const { state } of slice) {
      if (state.vectorRef === null) texts.set(embeddingRef(embedder.model, state.memory.content), state.memory.content);
    }
    const suppliedRefs = slice.flatMap(({ state }) => state.vectorRef ?? []);
    const found = new Map(await cache.get([...texts.keys(), ...suppliedRefs]));
    const missing = [...texts].filter(([ref]) => !found.has(ref));
    if (missing.length > 0) {
      const embedded = await embedder.embed(
        missing.map(([, text]) => text),
        { purpose: 'document', signal },
      );
      for (const [at, [ref]] of missing.entries()) {
        const vector = embedded[at];
        if (vector !== undefined) found.set(ref, vector);
      }
    }
    await cache.put(
      slice.flatMap(({ state: { memory, vectorRef } }) => {
        const ref = embeddingRef(embedder.model, memory.content);
        const vector = found.get(ref);
        return vectorRef === null && vector !== undefined ? [{ ref, memoryId: memory.id, vector }] : [];
      }),
    );
    return found;
  }

  async function remove(deletions: readonly Deletion[]): Promise<void> {
    if (deletions.length === 0) return;
    await vectors.remove(deletions);
    await cache.release(deletions.map(({ id }) => id));
  }

  return {
    name: VECTOR_INDEXER,
    handles: MEMORY_EVENTS,
    project: async (events, signal) => {
      const { states, deletions } = newestStates(events);
      await remove(deletions);
      for (let start = 0; start < states.length; start += SLICE_MEMORIES) {
        await index(states.slice(start, start + SLICE_MEMORIES), signal);
      }
    },
  };
}

/** Also when the memory was deleted a moment ago: then its deletion comes next and settles the dead letter. */
function missingSupplied(id: string): PoisonError {
  return new PoisonError(
    `The embedding supplied for memory ${id} is no longer kept: supply it again, or change the content to have it embedded`,
  );
}
