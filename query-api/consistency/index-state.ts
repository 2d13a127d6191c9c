/**
 * Checks that the vector index contains everything up to a position. Indexers save their position about 200 to 700 ms
 * late, so the few events after the saved position are looked up in the index itself: each point holds the version of
 * its memory. The event at the position is always looked up, because a saved position may pass an event that the graph
 * failed to apply at first. All waiting reads share one look-up at a time.
 */
import { MEMORY_EVENTS, type RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { VECTOR_INDEXER } from '../../shared/contract/projector-names.js';
import { mapConcurrently } from '../../shared/kernel/concurrency/map-concurrently.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { DeadLetters, JournalReader } from '../../shared/ports/journal.js';
import type { OutboxReader } from '../../shared/ports/outbox.js';
import type { VectorIndexReader } from '../../shared/ports/vectors.js';

export type IndexState =
  | { readonly kind: 'indexed' }
  /** The index could not take the memory of the event at the position, so waiting does not help. */
  | { readonly kind: 'dead_lettered' }
  /** `missing`: the first position that the index may lack. */
  | { readonly kind: 'behind'; readonly missing: number };

export type IndexStateAt = (asked: Asked) => Promise<IndexState>;

type Asked = {
  /** The position that the indexers saved. */
  readonly indexed: number;
  readonly position: number;
  /** The event at the position is the caller's own, so it must be in the index. */
  readonly isOwn: boolean;
};

/**
 * With more events than this after the saved position, only the saved position counts. It stays for up to a minute
 * while Neo4j tries one event, and the index goes on meanwhile.
 */
const GAP_LIMIT = 1_000;
const CONCURRENT_READS = 4;

type Dependencies = {
  readonly journal: Pick<JournalReader, 'read'>;
  readonly vectors: Pick<VectorIndexReader, 'versions'>;
  readonly deadLetters: Pick<DeadLetters, 'count' | 'find'>;
  /** Present where the graph follows the journal. */
  readonly outbox?: Pick<OutboxReader, 'unapplied'>;
};

type Waiter = Asked & {
  readonly resolve: (state: IndexState) => void;
  readonly reject: (error: unknown) => void;
};
type Found = {
  /** Memory events after the saved position, and those at asked positions, in order. */
  readonly events: readonly RecordedEvent[];
  /** The gap has more events than GAP_LIMIT, and this is the last one that was read. */
  readonly cutAt: number | null;
  /** Positions of events that the index lacks. */
  readonly missing: ReadonlySet<number>;
  /** Memories with a dead letter of the indexer at or above the version of an event that the index lacks. */
  readonly lettered: ReadonlySet<string>;
  /** Events that the graph lacks, so the indexers do not have them yet. */
  readonly unapplied: ReadonlySet<number>;
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

  return (asked) =>
    new Promise((resolve, reject) => {
      waiting.push({ ...asked, resolve, reject });
      if (!isRunning) void answerAll(); // never rejects: each waiter gets the error
    });
}

async function lookUp(asked: readonly Asked[], dependencies: Dependencies): Promise<Found> {
  const { journal, vectors, deadLetters, outbox } = dependencies;
  const gap = await readGap(asked, journal);
  const last = gap.length > GAP_LIMIT ? (gap.at(-1)?.position ?? 0) : null;
  const own = await readOwn(asked, { gap, last }, journal);
  const events = [...new Map([...own, ...gap].map((event) => [event.position, event])).values()].sort(
    (one, other) => one.position - other.position,
  );
  const versions = await versionsOf(new Set(events.map(({ subject }) => subject as MemoryId)), vectors);
  const absent = events.filter((event) => !isVersionIndexed(versions, event));
  const isOwn = new Set(ownPositions(asked));
  const ownAbsent = absent.filter(({ position }) => isOwn.has(position));
  const [lettered, unapplied, deleted] = await Promise.all([
    letteredOf(absent, deadLetters),
    absent.length > 0 && outbox ? outbox.unapplied(absent.map(({ position }) => position)) : new Set<number>(),
    deletedAfter(ownAbsent, journal),
  ]);
  const missing = absent.map(({ position }) => position).filter((position) => !deleted.has(position));
  return { events, cutAt: last, missing: new Set(missing), lettered, unapplied };
}

async function readGap(asked: readonly Asked[], journal: Dependencies['journal']): Promise<readonly RecordedEvent[]> {
  const behind = asked.filter(({ indexed, position }) => indexed < position);
  if (behind.length === 0) return [];
  return journal.read({
    after: Math.min(...behind.map(({ indexed }) => indexed)),
    through: Math.max(...behind.map(({ position }) => position)),
    types: MEMORY_EVENTS,
    limit: GAP_LIMIT + 1,
  });
}

/** The memory events at asked positions that the gap does not contain. */
async function readOwn(
  asked: readonly Asked[],
  { gap, last }: { readonly gap: readonly RecordedEvent[]; readonly last: number | null },
  journal: Dependencies['journal'],
): Promise<readonly RecordedEvent[]> {
  const first = gap[0]?.position ?? Infinity;
  const isInGap = ({ indexed, position }: Asked): boolean =>
    indexed < position && first <= position && position <= (last ?? Infinity);
  const positions = new Set(ownPositions(asked.filter((one) => !isInGap(one))));
  const reads = await mapConcurrently([...positions], CONCURRENT_READS, (position) =>
    journal.read({ after: position - 1, through: position, types: MEMORY_EVENTS, limit: 1 }),
  );
  return reads.flat();
}

function ownPositions(asked: readonly Asked[]): readonly number[] {
  return asked.filter(({ isOwn }) => isOwn).map(({ position }) => position);
}

/** Null while the index does not answer. */
async function versionsOf(
  ids: ReadonlySet<MemoryId>,
  vectors: Dependencies['vectors'],
): Promise<ReadonlyMap<MemoryId, number> | null> {
  if (ids.size === 0) return new Map();
  try {
    return await vectors.versions([...ids]);
  } catch (error) {
    if (error instanceof DependencyError) return null; // an index that does not answer counts as behind
    throw error;
  }
}

function isVersionIndexed(versions: ReadonlyMap<MemoryId, number> | null, event: RecordedEvent): boolean {
  if (versions === null) return false;
  const version = versions.get(event.subject as MemoryId);
  return event.type === 'memory.deleted' ? version === undefined : version !== undefined && version >= event.version;
}

/** One cheap query while the indexer has no dead letters, which is the usual state. */
async function letteredOf(
  events: readonly RecordedEvent[],
  deadLetters: Dependencies['deadLetters'],
): Promise<ReadonlySet<string>> {
  if (events.length === 0 || (await deadLetters.count(VECTOR_INDEXER)) === 0) return new Set();
  return deadLetters.find(VECTOR_INDEXER, events);
}

/** Positions of events whose memory was deleted later: their point never returns. */
async function deletedAfter(
  events: readonly RecordedEvent[],
  journal: Dependencies['journal'],
): Promise<ReadonlySet<number>> {
  const reads = await mapConcurrently(events, CONCURRENT_READS, async ({ position, subject, version }) => {
    const deletions = await journal.read({
      after: position,
      subject,
      afterVersion: version,
      types: ['memory.deleted'],
      limit: 1,
    });
    return deletions.map(() => position);
  });
  return new Set(reads.flat());
}

function stateOf({ indexed, position, isOwn }: Asked, found: Found): IndexState {
  const { events, cutAt, missing, lettered, unapplied } = found;
  const own = isOwn ? events.find((event) => event.position === position) : undefined;
  if (own && missing.has(position) && lettered.has(own.subject)) return { kind: 'dead_lettered' };
  const newest = new Map(
    events
      .filter((event) => event === own || (event.position > indexed && event.position <= position))
      .map((event) => [event.subject, event]),
  );
  // A read does not wait for other events that the graph lacks (their writers have no answer yet) or that the index
  // could not take.
  const absent = [...newest.values()]
    .filter((event) => missing.has(event.position))
    .filter((event) => event === own || !(unapplied.has(event.position) || lettered.has(event.subject)))
    .map((event) => event.position);
  if (absent.length > 0) return { kind: 'behind', missing: Math.min(...absent) };
  if (cutAt !== null && cutAt <= position && indexed < position) return { kind: 'behind', missing: cutAt };
  return { kind: 'indexed' };
}
