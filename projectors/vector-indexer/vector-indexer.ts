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
import type { Point, VectorIndexWriter, WriteOptions } from '../../shared/vectors/vectors.js';
import type { Projector } from '../projector.js';
import { type Deletion, type NewestState, newestStates } from './newest-states.js';

/** Memories that are embedded, cached and written together: about one second of the bundled encoder, one call to a remote provider. */
export const SLICE_MEMORIES = 32;

/** The states of memories as they are now, and how to write their points again. */
export type Repair = {
  readonly states: readonly NewestState[];
  readonly deletions: readonly Deletion[];
  /** Makes new vectors in place of cached and supplied ones. */
  readonly embedAgain: boolean;
};

export type VectorIndexer = Projector & {
  /** Writes these points also over the same version, never over a newer one. Throws as `project` does. */
  readonly repair: (repair: Repair, signal: AbortSignal) => Promise<void>;
};

/** How points are written. */
type Manner = WriteOptions & { readonly embedAgain?: boolean };

export function createVectorIndexer({
  embedder,
  cache,
  vectors,
}: {
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  readonly vectors: VectorIndexWriter;
}): VectorIndexer {
  async function indexAll(states: readonly NewestState[], manner: Manner, signal: AbortSignal): Promise<void> {
    for (let start = 0; start < states.length; start += SLICE_MEMORIES) {
      await index(states.slice(start, start + SLICE_MEMORIES), manner, signal);
    }
  }

  async function index(given: readonly NewestState[], manner: Manner, signal: AbortSignal): Promise<void> {
    const slice = manner.embedAgain ? given.map(withoutSupplied) : given;
    const found = await vectorsFor(slice, signal, manner);
    await vectors.upsert(
      slice.map(({ version, state: { memory, vectorRef } }) => {
        const vector = found.get(vectorRef ?? embeddingRef(embedder.model, memory.content));
        if (vector === undefined) throw missingSupplied(memory.id);
        return pointOf(memory, { version, vector, model: expectedModel(vectorRef, embedder.model) });
      }),
      manner,
    );
  }

  /** By reference. New vectors, and the memories that use them, are in the cache before this resolves. */
  async function vectorsFor(
    slice: readonly NewestState[],
    signal: AbortSignal,
    { embedAgain = false }: Manner,
  ): Promise<ReadonlyMap<string, Float32Array>> {
    const texts = new Map<string, string>();
    for (const { state } of slice) {
      if (state.vectorRef === null) texts.set(embeddingRef(embedder.model, state.memory.content), state.memory.content);
    }
    const suppliedRefs = slice.flatMap(({ state }) => state.vectorRef ?? []);
    const found = new Map(embedAgain ? [] : await cache.get([...texts.keys(), ...suppliedRefs]));
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

  async function removeDeleted(deletions: readonly Deletion[], options: WriteOptions = {}): Promise<void> {
    if (deletions.length === 0) return;
    await vectors.remove(deletions, options);
    await cache.release(deletions.map(({ id }) => id));
  }

  return {
    name: VECTOR_INDEXER,
    handles: MEMORY_EVENTS,
    project: async (events, signal) => {
      const { states, deletions } = newestStates(events);
      await removeDeleted(deletions);
      await indexAll(states, {}, signal);
    },
    repair: async ({ states, deletions, embedAgain }, signal) => {
      await removeDeleted(deletions, { replaceEqual: true });
      await indexAll(states, { replaceEqual: true, embedAgain }, signal);
    },
  };
}

/** This also happens when the memory was just deleted: its deletion event comes next and resolves the dead letter. */
function missingSupplied(id: string): PoisonError {
  return new PoisonError(
    `The embedding supplied for memory ${id} is no longer stored: supply it again, or change the content to have it embedded`,
  );
}

function withoutSupplied({ version, state }: NewestState): NewestState {
  return { version, state: { ...state, vectorRef: null } };
}

function pointOf(memory: Memory, { version, vector, model }: Pick<Point, 'version' | 'vector' | 'model'>): Point {
  return { id: memory.id, version, vector, model, payload: pointPayload(memory) };
}
