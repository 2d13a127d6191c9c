/**
 * Maintains the vector index, one point per memory: event -> vector -> point. Vectors come through the embedding cache,
 * so a replay or a rebuild embeds each text only once. When the embedder fails, the indexer waits; it never invents a
 * vector.
 */
import { MEMORY_EVENTS, type RecordedEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { type GiveWay, NEVER_GIVES_WAY } from '../../shared/kernel/concurrency/give-way.js';
import { PoisonError } from '../../shared/kernel/errors.js';
import {
  type CacheEntry,
  type Embedder,
  type EmbeddingCache,
  embeddingRef,
  type EmbedOptions,
} from '../../shared/ports/embedder.js';
import { expectedModel, pointPayload } from '../../shared/ports/point-payload.js';
import type { Point, VectorIndexWriter } from '../../shared/ports/vectors.js';
import type { Projector } from '../projector.js';
import { type AheadPorts, createReadAhead } from '../read-ahead.js';
import { type Deletion, type NewestState, newestStates } from './newest-states.js';

/**
 * Memories that are embedded, cached and written together: about one second of the bundled encoder, one call to a
 * remote provider. Memories with cached vectors are written all at once.
 */
export const SLICE_MEMORIES = 32;
/** So few memories are embedded before those of a batch or a job. */
const URGENT_MEMORIES = 4;
/** Texts in one call to the embedder: a failure loses no more new vectors than these. */
const EMBEDDED_TEXTS = 100;

/** The states of memories as they are now, and how to write their points again. */
export type Repair = {
  readonly states: readonly NewestState[];
  readonly deletions: readonly Deletion[];
  /** Makes new vectors in place of cached and supplied ones. */
  readonly embedAgain: boolean;
};

export type VectorIndexer = Projector & {
  /** Writes these points, never over a newer version. Throws as `project` does. */
  readonly repair: (repair: Repair, signal: AbortSignal) => Promise<void>;
};

/** How vectors are found. */
type Manner = Partial<Pick<Repair, 'embedAgain'>> & Pick<EmbedOptions, 'isUrgent'>;
/** By reference. */
type Vectors = ReadonlyMap<string, Float32Array>;

export function createVectorIndexer({
  embedder,
  cache,
  vectors,
  ahead: aheadPorts,
  giveWay = NEVER_GIVES_WAY,
}: {
  readonly embedder: Embedder;
  readonly cache: EmbeddingCache;
  readonly vectors: VectorIndexWriter;
  /** Absent: memories are indexed in the order of their events. */
  readonly ahead?: AheadPorts;
  /** To the callers of other tenants. */
  readonly giveWay?: GiveWay | undefined;
}): VectorIndexer {
  const readAhead = aheadPorts && createReadAhead(aheadPorts);

  /** `after`: the position of the last event, where memories written alone may go ahead. */
  async function indexAll(
    states: readonly NewestState[],
    { after, ...manner }: Manner & { readonly after?: number },
    signal: AbortSignal,
  ): Promise<void> {
    if (states.length === 0) return;
    if (manner.embedAgain) return index(states.map(withoutSupplied), new Map(), manner, signal);
    const { model, dimension } = embedder;
    const cached = await cache.get(states.flatMap(({ state }) => refsOf(state, model)));
    const fitting = states.map((one) => withoutMisfit(one, cached, dimension));
    const isReady = ({ state }: NewestState): boolean => state.vectorRef !== null || cached.has(refOf(state, model));
    await indexReady(fitting.filter(isReady), cached, manner, signal);
    const missing = fitting.filter((one) => !isReady(one));
    const backlog = async (): Promise<void> => {
      const isUrgent = missing.length <= URGENT_MEMORIES;
      for (let start = 0; start < missing.length; start += SLICE_MEMORIES)
        await index(missing.slice(start, start + SLICE_MEMORIES), cached, { isUrgent, ...manner }, signal);
    };
    if (aheadPorts === undefined || readAhead === undefined) return backlog();
    if (after === undefined || missing.length <= SLICE_MEMORIES) return backlog();
    const handle = async (events: readonly RecordedEvent[]): Promise<void> => {
      await indexAll(newestStates(events).states.filter(hasNoSupplied), { isUrgent: true }, signal);
      await releaseDeleted(events, aheadPorts.journal);
    };
    await readAhead({ after, handle, backlog });
  }

  async function indexReady(
    states: readonly NewestState[],
    cached: Vectors,
    manner: Manner,
    signal: AbortSignal,
  ): Promise<void> {
    for (let left = states; left.length > 0;) {
      const isLong = states.length > SLICE_MEMORIES && giveWay.isNeeded();
      if (isLong) await giveWay.turn(signal);
      const size = isLong ? SLICE_MEMORIES : left.length;
      await index(left.slice(0, size), cached, manner, signal);
      left = left.slice(size);
    }
  }

  async function index(
    slice: readonly NewestState[],
    cached: Vectors,
    manner: Manner,
    signal: AbortSignal,
  ): Promise<void> {
    if (slice.length === 0) return;
    const { model } = embedder; // one for the whole slice: a rebuild of the index may change it meanwhile
    const found = await vectorsFor(slice, cached, { ...manner, model, signal });
    await vectors.upsert(
      slice.map(({ version, state: { memory, vectorRef } }) => {
        const vector = found.get(refOf({ memory, vectorRef }, model));
        if (vector === undefined) throw missingSupplied(memory.id);
        return pointOf(memory, { version, vector, model: expectedModel(vectorRef, model) });
      }),
      { model },
    );
  }

  /** New vectors, and the memories that use them, are in the cache before this resolves. */
  async function vectorsFor(
    slice: readonly NewestState[],
    cached: Vectors,
    {
      embedAgain = false,
      isUrgent = false,
      model,
      signal,
    }: Manner & { readonly model: string; readonly signal: AbortSignal },
  ): Promise<Vectors> {
    const texts = new Map<string, string>();
    for (const { state } of slice) {
      if (state.vectorRef === null) texts.set(embeddingRef(model, state.memory.content), state.memory.content);
    }
    const found = new Map(cached);
    const missing = [...texts].filter(([ref]) => !found.has(ref));
    await cache.put(entriesOf(slice, found, model));
    for (let start = 0; start < missing.length; start += EMBEDDED_TEXTS) {
      const group = missing.slice(start, start + EMBEDDED_TEXTS);
      const embedded = await embedder.embed(
        group.map(([, text]) => text),
        { purpose: 'document', isUrgent, signal, model, ...(!isUrgent && { giveWay }) },
      );
      const made = new Map(group.flatMap(([ref], at) => (embedded[at] === undefined ? [] : [[ref, embedded[at]]])));
      await cache.put(entriesOf(slice, made, model), { replace: embedAgain });
      for (const [ref, vector] of made) found.set(ref, vector);
    }
    return found;
  }

  /** The memories whose contents have these vectors. */
  function entriesOf(slice: readonly NewestState[], made: Vectors, model: string): readonly CacheEntry[] {
    return slice.flatMap(({ state: { memory, vectorRef } }) => {
      const ref = embeddingRef(model, memory.content);
      const vector = made.get(ref);
      return vectorRef === null && vector !== undefined ? [{ ref, memoryId: memory.id, vector }] : [];
    });
  }

  /** Another indexer may have handled a deletion before the vector of its memory was in the cache. */
  async function releaseDeleted(events: readonly RecordedEvent[], journal: AheadPorts['journal']): Promise<void> {
    for (const { position: after, subject, version: afterVersion } of events) {
      const deletions = await journal.read({ after, subject, afterVersion, types: ['memory.deleted'], limit: 1 });
      if (deletions.length > 0) await cache.release([subject as MemoryId]); // the subject of a memory event is its id
    }
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
      await indexAll(states, { after: Math.max(...events.map(({ position }) => position)) }, signal);
    },
    repair: async ({ states, deletions, ...manner }, signal) => {
      await removeDeleted(deletions);
      await indexAll(states, manner, signal);
    },
  };
}

/** This also happens when the memory was just deleted: its deletion event comes next and resolves the dead letter. */
function missingSupplied(id: string): PoisonError {
  return new PoisonError(
    `The embedding supplied for memory ${id} is no longer stored: supply it again, or change the content to have it embedded`,
  );
}

type State = NewestState['state'];

/** The reference of the vector that a memory is indexed with. */
function refOf({ memory, vectorRef }: State, model: string): string {
  return vectorRef ?? embeddingRef(model, memory.content);
}

/** With a supplied vector also the reference of the content, which is used where the supplied one does not fit. */
function refsOf(state: State, model: string): readonly string[] {
  const ofContent = embeddingRef(model, state.memory.content);
  return state.vectorRef === null ? [ofContent] : [state.vectorRef, ofContent];
}

/**
 * A vector that was supplied to an index of another dimension does not fit this one: the content is embedded instead.
 */
function withoutMisfit(one: NewestState, cached: Vectors, dimension: number): NewestState {
  const vector = cached.get(one.state.vectorRef ?? '');
  return vector === undefined || vector.length === dimension ? one : withoutSupplied(one);
}

function hasNoSupplied({ state }: NewestState): boolean {
  return state.vectorRef === null;
}

function withoutSupplied({ version, state }: NewestState): NewestState {
  return { version, state: { ...state, vectorRef: null } };
}

function pointOf(memory: Memory, { version, vector, model }: Pick<Point, 'version' | 'vector' | 'model'>): Point {
  return { id: memory.id, version, vector, model, payload: pointPayload(memory) };
}
