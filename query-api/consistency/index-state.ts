/**
 * Checks that the vector index contains everything up to a position. Indexers save their position about 200 to 700 ms late, so the few events
 * after the saved position are looked up in the index itself: each point holds the version of its memory. All waiting reads share one look-up
 * at a time.
 */
import { MEMORY_EVENTS, type RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import type { DeadLetters, JournalReader } from '../../shared/journal/journal.js';
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';

/** `dead_lettered`: the index could not take the memory of the event at the position, so waiting does not help. */
export type IndexState = 'indexed' | 'behind' | 'dead_lettered';

/** `indexed`: the position that the indexers saved. */
export type IndexStateAt = (indexed: number, position: number) => Promise<IndexState>;

/** With more events than this after the saved position, only the saved position counts. */
const GAP_LIMIT = 200;
const CONCURRENT_READS = 4;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'count' | 'find'>;
};

type Asked = { readonly indexed: number; readonly position: number };
type Waiter = Asked & {
  readonly resolve: (state: IndexState) => void;
  readonly reject: (error: unknown) => void;
};
type Found = {
  /** Memory events after the saved position, in order. */
  readonly gap: readonly RecordedEvent[];
  /** Events at asked positions whose memory has a dead letter of the indexer, by position. */
  readonly lettered: ReadonlyMap<number, RecordedEvent>;
  /** Null while the index does not answer. */
  readonly versions: ReadonlyMap<MemoryId, number> | null;
};

export function createIndexStateAt(dependencies: Dependencies): IndexStateAt {
  let waiting: Waiter[] = [];
  let isRunning = false;

  async function answerAll(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      try {
        const found = await lookUp(asked, dependencies);
        for (const waiter of asked) waiter.resolve(stateOf(waiter, found));
      } catch (error) {
        for (const waiter of asked) waiter.reject(error);
      }
    }
    isRunning = false;
  }

  return (indexed, position) =>
    new Promise((resolve, reject) => {
      waiting.push({ indexed, position, resolve, reject });
      if (!isRunning) void answerAll(); // never rejects: each waiter gets the error
    });
}

async function lookUp(asked: readonly Asked[], { journal, vectors, deadLetters }: Dependencies): Promise<Found> {
  const behind = asked.filter(({ indexed, position }) => indexed < position);
  const [gap, lettered] = await Promise.all([
    behind.length === 0
      ? []
      : journal.read({
          after: Math.min(...behind.map(({ indexed }) => indexed)),
          through: Math.max(...behind.map(({ position }) => position)),
          types: MEMORY_EVENTS,
          limit: GAP_LIMIT + 1,
        }),
    letteredAt([...new Set(asked.map(({ position }) => position))], { journal, deadLetters }),
  ]);
  const ids = new Set([...gap, ...lettered.values()].map(({ subject }) => subject as MemoryId));
  return { gap, lettered, versions: await versionsOf(ids, vectors) };
}

async function versionsOf(ids: ReadonlySet<MemoryId>, vectors: Dependencies['vectors']): Promise<Found['versions']> {
  if (ids.size === 0) return new Map();
  try {
    return await vectors.versions([...ids]);
  } catch (error) {
    if (error instanceof DependencyError) return null; // an index that does not answer counts as behind
    throw error;
  }
}

/** One cheap query while the indexer has no dead letters, which is the usual state. */
async function letteredAt(
  positions: readonly number[],
  { journal, deadLetters }: Pick<Dependencies, 'journal' | 'deadLetters'>,
): Promise<Found['lettered']> {
  if ((await deadLetters.count(VECTOR_INDEXER)) === 0) return new Map();
  const reads = await mapConcurrently(positions, CONCURRENT_READS, (position) =>
    journal.read({ after: position - 1, through: position, types: MEMORY_EVENTS, limit: 1 }),
  );
  const events = reads.flat();
  const subjects = await deadLetters.find(VECTOR_INDEXER, events);
  return new Map(events.filter(({ subject }) => subjects.has(subject)).map((event) => [event.position, event]));
}

function stateOf({ indexed, position }: Asked, { gap, lettered, versions }: Found): IndexState {
  const failed = lettered.get(position);
  if (failed && !isVersionIndexed(versions, failed)) return 'dead_lettered';
  if (indexed >= position) return 'indexed';
  const isCut = gap.length > GAP_LIMIT && (gap.at(-1)?.position ?? 0) <= position;
  if (isCut) return 'behind';
  const newest = new Map(
    gap
      .filter((event) => event.position > indexed && event.position <= position)
      .map((event) => [event.subject, event]),
  );
  return [...newest.values()].every((event) => isVersionIndexed(versions, event)) ? 'indexed' : 'behind';
}

/** A point that a later event deleted counts as missing until the saved position passes the event. */
function isVersionIndexed(versions: Found['versions'], event: RecordedEvent): boolean {
  const version = versions?.get(event.subject as MemoryId);
  if (versions === null) return false;
  return event.type === 'memory.deleted' ? version === undefined : version !== undefined && version >= event.version;
}
