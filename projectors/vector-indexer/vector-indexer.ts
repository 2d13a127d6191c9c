/**
 * Maintains the vector index, one point per memory: event -> vector -> point. Vectors come through the embedding cache, so a replay or
 * a rebuild embeds each text only once. When the embedder fails, the indexer waits; it never invents a vector.
 */
import { MEMORY_EVENTS } from '../../shared/contract/events.js';
import type { Memory } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { type Embedder, type EmbeddingCache, embeddingRef } from '../../shared/embedding/embedder.js';
import { PoisonError } from '../../shared/kernel/errors.js';
import { expectedModel, pointPayload } from '../../shared/vectors/point-payload.js';
import type { Point, VectorIndexWriter } from '../../shared/vectors/vectors.js';
import type { Projector } from '../projector.js';
import { type Deletion, type NewestState, newestStates } from './newest-states.js';

/** Memories that are embedded, cached and written together: about one second of the bundled encoder, one call to a remote provider. */
export const SLICE_MEMORIES = 32;

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
        return pointOf(memory, { version, vector, model: expectedModel(vectorRef, embedder.model) });
      }),
    );
  }

  /** By reference. New vectors, and the memories that use them, are in the cache before this resolves. */
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

  async function removeDeleted(deletions: readonly Deletion[]): Promise<void> {
    if (deletions.length === 0) return;
    await vectors.remove(deletions);
    await cache.release(deletions.map(({ id }) => id));
  }

  return {
    name: VECTOR_INDEXER,
    handles: MEMORY_EVENTS,
    project: async (events, signal) => {
      const { states, deletions } = newestStates(events);
      await removeDeleted(deletions);
      for (let start = 0; start < states.length; start += SLICE_MEMORIES) {
        await index(states.slice(start, start + SLICE_MEMORIES), signal);
      }
    },
  };
}

/** This also happens when the memory was just deleted: its deletion event comes next and resolves the dead letter. */
function missingSupplied(id: string): PoisonError {
  return new PoisonError(
    `The embedding supplied for memory ${id} is no longer stored: supply it again, or change the content to have it embedded`,
  );
}

/** The index point of a memory: its vector and every property that a filter can use. */
export function pointOf(
  memory: Memory,
  { version, vector, model }: Pick<Point, 'version' | 'vector' | 'model'>,
): Point {
  return { id: memory.id, version, vector, model, payload: pointPayload(memory) };
}
