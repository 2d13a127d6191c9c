/**
 * Applies the present state of each subject to the graph: the last event of each memory and association, and the
 * position of each memory, without their history. The order does not matter to the graph: an association with a missing
 * end gets a placeholder, and a deletion also ends the associations of its memory.
 */
import type { OwnedAssociation } from '../../contract/association.js';
import { isStateEvent, OWNING_EVENTS, type RecordedEvent } from '../../contract/events.js';
import type { JournalReader } from '../../ports/journal.js';
import { type EventReplay, REPLAY_PAGE } from './replay-events.js';
import { withoutUnapplied } from './without-unapplied.js';

export type StateReplay = Omit<EventReplay, 'journal' | 'onApplied'> & {
  readonly journal: Pick<JournalReader, 'read' | 'states' | 'lastOf'>;
  readonly onApplied: (applied: { readonly events: number; readonly subjects: number }) => Promise<void>;
};

export async function replayStates(replay: StateReplay): Promise<void> {
  const { graph, onApplied, signal } = replay;
  let next = readPage('', replay);
  for (;;) {
    signal.throwIfAborted();
    const { events, subjects, last } = await next;
    if (last === null) return;
    // The journal is read while the graph writes.
    next = readPage(last, replay);
    next.catch(() => undefined /* reported where the page is awaited, unless this page fails first */);
    if (events.length > 0) await graph.apply(events);
    await onApplied({ events: events.length, subjects });
  }
}

/** `last`: the last subject of the page; null after the last page. */
type Page = { readonly events: readonly RecordedEvent[]; readonly subjects: number; readonly last: string | null };

async function readPage(after: string, replay: StateReplay): Promise<Page> {
  const page = await replay.journal.states({ after, limit: REPLAY_PAGE });
  return { events: await eventsToApply(page, replay), subjects: page.length, last: page.at(-1)?.subject ?? null };
}

/**
 * First the positions of memories, and the enrichments whose derived associations are still valid, then the last events
 * that the graph should have.
 */
async function eventsToApply(page: readonly RecordedEvent[], replay: StateReplay): Promise<readonly RecordedEvent[]> {
  const last = await lastApplied(page, replay);
  const earlier = await eventsBefore(last, replay);
  return withPresentTargets([...earlier, ...last], replay.journal);
}

/** In place of an event that the committer applies itself, the last event of its subject that was applied. */
async function lastApplied(page: readonly RecordedEvent[], replay: StateReplay): Promise<readonly RecordedEvent[]> {
  const applied = await withoutUnapplied(page, replay.unapplied);
  if (applied.length === page.length) return applied;
  const known = new Set(applied.map(({ position }) => position));
  const replaced = [...applied];
  for (const { subject, position } of page.filter((event) => !known.has(event.position)))
    replaced.push(...(await lastAppliedOf(subject, position - 1, replay)));
  return replaced;
}

async function lastAppliedOf(
  subject: string,
  through: number,
  { journal, unapplied }: StateReplay,
): Promise<readonly RecordedEvent[]> {
  let found: readonly RecordedEvent[] = [];
  for (let after = 0; ;) {
    const page = await journal.read({ after, through, subject, limit: REPLAY_PAGE });
    const last = page.at(-1);
    if (last === undefined) return found;
    found = [...found, ...(await withoutUnapplied(page, unapplied))].slice(-1);
    after = last.position;
  }
}

/**
 * Only owning events carry the associations that a memory owns, and only `memory.stored` has its position. A later
 * event of the memory keeps both. The graph may also lack the position of a memory without a later event, if an earlier
 * release wrote it.
 */
async function eventsBefore(
  last: readonly RecordedEvent[],
  { journal, unapplied }: StateReplay,
): Promise<readonly RecordedEvent[]> {
  const subjects = last.filter(isStateEvent).map(({ subject }) => subject);
  if (subjects.length === 0) return [];
  const found = await journal.lastOf({ subjects, types: [...OWNING_EVENTS, 'memory.stored'] });
  const known = new Set(last.map(({ position }) => position));
  const earlier = found
    .map(withPositionAlone)
    .filter(({ type, data, position }) => type === 'memory.stored' || (data !== null && !known.has(position)));
  return withoutUnapplied(earlier, unapplied);
}

/** Of a `memory.stored` before the last event only the position matters, and its data may be large. */
export function withPositionAlone(event: RecordedEvent): RecordedEvent {
  return event.type === 'memory.stored' ? { ...event, data: null } : event;
}

/** A derived association ended with the deletion of its target, also when the target returned later. */
async function withPresentTargets(
  events: readonly RecordedEvent[],
  journal: Pick<JournalReader, 'lastOf'>,
): Promise<readonly RecordedEvent[]> {
  const targets = new Set(events.flatMap((event) => derivedOf(event).map(({ target }) => target)));
  const deletedAt = await deletionsOf([...targets], journal);
  if (deletedAt.size === 0) return events;
  return events.map((event) => withoutEnded(event, deletedAt));
}

function withoutEnded(event: RecordedEvent, deletedAt: ReadonlyMap<string, number>): RecordedEvent {
  const lasts = ({ target }: { readonly target: string }): boolean => (deletedAt.get(target) ?? 0) < event.position;
  if (event.type === 'memory.enriched' && event.data)
    return { ...event, data: { ...event.data, derived: event.data.derived.filter(lasts) } };
  if (event.type === 'memory.cluster.changed' && event.data)
    return { ...event, data: { ...event.data, derived: event.data.derived.filter(lasts) } };
  return event;
}

function derivedOf(event: RecordedEvent): readonly OwnedAssociation[] {
  const isOwner = event.type === 'memory.enriched' || event.type === 'memory.cluster.changed';
  return isOwner && event.data ? event.data.derived : [];
}

/** The port allows as many in one call. */
const SUBJECTS_A_CALL = 1_000;

async function deletionsOf(
  subjects: readonly string[],
  journal: Pick<JournalReader, 'lastOf'>,
): Promise<ReadonlyMap<string, number>> {
  const found = new Map<string, number>();
  for (let from = 0; from < subjects.length; from += SUBJECTS_A_CALL) {
    const some = subjects.slice(from, from + SUBJECTS_A_CALL);
    for (const { subject, position } of await journal.lastOf({ subjects: some, types: ['memory.deleted'] }))
      found.set(subject, position);
  }
  return found;
}
