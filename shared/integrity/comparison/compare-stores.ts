/**
 * Compares the whole journal, graph and vector index of a deployment, also while it takes writes. Every subject of the
 * journal is looked up in the other stores; then the graph and the index are walked for what the journal does not have.
 * The process needs the same RAM for any number of memories.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type AssociationKey, associationSubject } from '../../contract/association.js';
import { EVENT_TYPES, MEMORY_EVENTS, type RecordedEvent } from '../../contract/events.js';
import type { MemoryId } from '../../contract/memory.js';
import { VECTOR_INDEXER } from '../../contract/projector-names.js';
import type { GraphScan } from '../../ports/graph-scan.js';
import type { DeadLetters, JournalReader } from '../../ports/journal.js';
import type { OutboxReader } from '../../ports/outbox.js';
import { compareAssociations } from './compare-associations.js';
import { type ComparedStores, compareMemories, newestOf } from './compare-memories.js';
import type { Difference } from './differences.js';

export type StoresToCompare = Omit<ComparedStores, 'journal'> & {
  readonly journal: Pick<JournalReader, 'states' | 'lastOf'>;
  readonly scan: GraphScan;
  readonly deadLetters: Pick<DeadLetters, 'find'>;
  /** Present where the graph follows the journal. */
  readonly outbox?: Pick<OutboxReader, 'unapplied'>;
};

export type StoreComparison = {
  /** Subjects of the journal, and points of the index. */
  readonly subjects: number;
  readonly points: number;
  readonly differences: readonly Difference[];
  /**
   * Differences that are known to the service: an event that the graph could not apply yet, or a dead letter of the
   * vector indexer.
   */
  readonly known: readonly Difference[];
  /** The comparison ended early, because it found more than SUSPECT_LIMIT differences. */
  readonly isCut: boolean;
};

const PAGE = 500;
/** Differences that are kept for a second comparison. */
export const SUSPECT_LIMIT = 100_000;
/** The pause between two comparisons of the same subjects. */
const COMPARE_AGAIN_MS = 500;

type Key = { readonly memory: MemoryId } | { readonly association: AssociationKey };

/** `settleMs`: how long a difference may last that comes from a write under way. */
export async function compareStores(
  stores: StoresToCompare,
  { settleMs, signal }: { readonly settleMs: number; readonly signal: AbortSignal },
): Promise<StoreComparison> {
  const suspects = new Map<string, Key>();
  const counts = { subjects: 0, points: 0 };
  for await (const keys of suspectsIn(stores, counts)) {
    signal.throwIfAborted();
    for (const key of keys) suspects.set('memory' in key ? key.memory : associationSubject(key.association), key);
    if (suspects.size > SUSPECT_LIMIT) break;
  }
  const differences = await settled(stores, suspects, { settleMs, signal });
  const known = await knownOf(stores, differences);
  return {
    ...counts,
    differences: differences.filter((difference) => !known.has(difference.subject)),
    known: differences.filter((difference) => known.has(difference.subject)),
    isCut: suspects.size > SUSPECT_LIMIT,
  };
}

/** Pages of subjects that differ at this moment. */
async function* suspectsIn(
  stores: StoresToCompare,
  counts: { subjects: number; points: number },
): AsyncGenerator<readonly Key[]> {
  for await (const page of pages((last?: RecordedEvent) =>
    stores.journal.states({ after: last?.subject ?? '', limit: PAGE }),
  )) {
    counts.subjects += page.length;
    yield await withDifferences(stores, page.flatMap(keyOf));
  }
  for await (const page of pages((last?: { readonly memory: { readonly id: MemoryId } }) =>
    stores.scan.memories({ after: last?.memory.id ?? '', limit: PAGE }),
  ))
    yield await withoutEvents(
      stores,
      page.map(({ memory }) => ({ memory: memory.id })),
    );
  for await (const page of pages((last?: { readonly association: AssociationKey }) =>
    stores.scan.associations({ after: last?.association ?? null, limit: PAGE }),
  ))
    yield await withoutEvents(
      stores,
      page.map(({ association }) => ({ association })),
    );
  for await (const page of pages((last?: { readonly id: MemoryId }) =>
    stores.points.scan({ after: last?.id ?? '', limit: PAGE }),
  )) {
    counts.points += page.length;
    const ids = page.map(({ id }) => id);
    const present = new Set((await stores.graph.memories(ids)).map(({ memory }) => memory.id));
    yield ids.filter((id) => !present.has(id)).map((memory) => ({ memory }));
  }
}

async function* pages<T>(read: (last?: T) => Promise<readonly T[]>): AsyncGenerator<readonly T[]> {
  for (let page = await read(); page.length > 0; page = await read(page.at(-1))) yield page;
}

function keyOf(event: RecordedEvent): readonly Key[] {
  if ((MEMORY_EVENTS as readonly string[]).includes(event.type)) return [{ memory: event.subject as MemoryId }];
  return event.data !== null && 'association' in event.data ? [{ association: event.data.association }] : [];
}

async function withDifferences(stores: StoresToCompare, keys: readonly Key[]): Promise<readonly Key[]> {
  const found = new Set((await compare(stores, keys)).map(({ subject }) => subject));
  return keys.filter((key) => found.has(subjectOf(key)));
}

/** Subjects without any event in the journal. */
async function withoutEvents(stores: StoresToCompare, keys: readonly Key[]): Promise<readonly Key[]> {
  const events = await stores.journal.lastOf({ subjects: keys.map(subjectOf), types: EVENT_TYPES });
  const known = new Set(events.map(({ subject }) => subject));
  return keys.filter((key) => !known.has(subjectOf(key)));
}

function subjectOf(key: Key): string {
  return 'memory' in key ? key.memory : associationSubject(key.association);
}

async function compare(stores: StoresToCompare, keys: readonly Key[]): Promise<readonly Difference[]> {
  const ids = keys.flatMap((key) => ('memory' in key ? key.memory : []));
  const associations = keys.flatMap((key) => ('association' in key ? key.association : []));
  const [memories, others] = await Promise.all([
    ids.length === 0 ? [] : compareMemories(stores, ids),
    associations.length === 0 ? [] : compareAssociations(stores, associations),
  ]);
  return [...memories, ...others];
}

/** Compares the suspects again until none is left or the time is over. */
async function settled(
  stores: StoresToCompare,
  suspects: ReadonlyMap<string, Key>,
  { settleMs, signal }: { readonly settleMs: number; readonly signal: AbortSignal },
): Promise<readonly Difference[]> {
  const deadline = performance.now() + settleMs;
  for (let left = suspects; ;) {
    const found: Difference[] = [];
    const keys = [...left.values()];
    for (let start = 0; start < keys.length; start += PAGE)
      found.push(...(await compare(stores, keys.slice(start, start + PAGE))));
    if (found.length === 0 || performance.now() >= deadline) return found;
    const subjects = new Set(found.map(({ subject }) => subject));
    left = new Map([...left].filter(([subject]) => subjects.has(subject)));
    await pause(COMPARE_AGAIN_MS, undefined, { signal });
  }
}

async function knownOf(stores: StoresToCompare, differences: readonly Difference[]): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (let start = 0; start < differences.length; start += PAGE) {
    const subjects = [...new Set(differences.slice(start, start + PAGE).map(({ subject }) => subject))];
    const last = newestOf(await stores.journal.lastOf({ subjects, types: EVENT_TYPES }));
    const events = [...last.values()];
    const [unapplied, lettered] = await Promise.all([
      stores.outbox?.unapplied(events.map(({ position }) => position)) ?? new Set<number>(),
      stores.deadLetters.find(VECTOR_INDEXER, events),
    ]);
    for (const { subject, position } of events) if (unapplied.has(position)) known.add(subject);
    for (const subject of lettered) known.add(subject);
  }
  return known;
}
