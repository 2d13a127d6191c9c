/**
 * Compares graph and vector index with their journal, by three short reads each. Also marks a graph that has no mark
 * yet.
 */
import type { EventMark, JournalMark } from '../../contract/envelope.js';
import { DependencyError } from '../../kernel/errors.js';
import type { GraphMark, MarkMemory, MarkOfGraph } from '../../ports/graph-mark.js';
import type { JournalIdentity, SeenEvent, Witness } from '../../ports/journal-identity.js';
import { type Comparison, graphFinding, type IndexFinding, indexFinding, type MarkFinding } from './mark-findings.js';

/** The mark of a graph has more than the one of an index. */
type MarkOfStore = JournalMark & Partial<MarkOfGraph>;

export type CheckMark = () => Promise<MarkFinding>;

export function createCheckMark({
  journal,
  graph,
}: {
  readonly journal: JournalIdentity;
  readonly graph: Pick<GraphMark, 'read'>;
}): CheckMark {
  return async () => graphFinding(await readComparison({ journal, store: graph }));
}

/**
 * For the command side at its start. A new graph of a new journal gets its mark. A graph of an earlier release, which
 * kept no mark, is taken for the graph of this journal. An empty graph under a journal with events gets none, so that
 * it is reported as emptied.
 */
export async function beginMark({
  journal,
  graph,
}: {
  readonly journal: JournalIdentity;
  readonly graph: Pick<GraphMark, 'read' | 'begin' | 'hasSubjects'>;
}): Promise<void> {
  const state = await journal.state();
  if (state.hasMarkedGraph) return;
  const mark = await graph.read();
  if (mark === null && (state.head === 0 || (await graph.hasSubjects()))) {
    const eventId = (await journal.eventIdsAt([state.applied])).get(state.applied) ?? null;
    await graph.begin({ journalId: state.id, position: state.applied, eventId });
  }
  if (mark === null || mark.journalId === state.id) await journal.saveGraphMarked();
}

/**
 * Reads what the comparison of a marked store with its journal needs: three short reads. The applied events are read
 * before the mark, because the mark moves on. What a command side has saved is read again after a mark that moved: the
 * next event may have moved the mark of a store that was put back.
 */
export async function readComparison<Mark extends MarkOfStore>({
  journal,
  store,
  seen = null,
}: {
  readonly journal: Pick<JournalIdentity, 'state' | 'eventIdsAt'>;
  readonly store: { readonly read: () => Promise<Mark | null> };
  /** An event that this process knows to be in its history of the journal. */
  readonly seen?: SeenEvent | null;
}): Promise<Comparison & { readonly mark: Mark | null }> {
  const before = await journal.state();
  const [lostBefore] = await missingIn(
    journal,
    [before.lost, seen?.journalId === before.id ? seen : null].filter((event) => event !== null),
  );
  // The store does not matter then, and it may be down.
  if (lostBefore !== undefined) return { mark: null, journal: before, lost: lostBefore };
  let suspected: readonly Lost[] = [];
  for (let reads = 1; reads <= READS; reads += 1) {
    const mark = await store.read();
    const hasMoved = mark !== null && mark.position > before.applied;
    const state = hasMoved ? { ...(await journal.state()), applied: before.applied } : before;
    const known = state.lost === null ? [] : [state.lost];
    const marked = mark?.journalId === state.id ? eventsOf(mark) : [];
    const missing = await missingIn(journal, [...known, ...marked]);
    const lost = missing.find((event) => isIn(known, event) || isIn(suspected, event));
    if (lost !== undefined || missing.length === 0) return { mark, journal: state, lost: lost ?? null };
    suspected = missing;
  }
  throw new DependencyError('graph', 'The mark of the store changed during each of its comparisons: try again');
}

/**
 * Neo4j reads property by property, so one read may show the position of an earlier event with the id of a later one.
 * The next read shows another pair then, so only a pair that is seen twice counts.
 */
const READS = 10;

type Lost = NonNullable<Comparison['lost']>;

/** The events that the journal lacks, in the order of their positions. */
async function missingIn(
  journal: Pick<JournalIdentity, 'eventIdsAt'>,
  events: readonly EventMark[],
): Promise<readonly Lost[]> {
  if (events.length === 0) return [];
  const ids = await journal.eventIdsAt(events.map(({ position }) => position));
  return events
    .map((event) => ({ ...event, found: ids.get(event.position) ?? null }))
    .filter(({ eventId, found }) => eventId !== found)
    .sort((one, other) => one.position - other.position);
}

function isIn(events: readonly EventMark[], { position, eventId }: EventMark): boolean {
  return events.some((event) => event.position === position && event.eventId === eventId);
}

/** Each event once: most nodes of a graph still have the one that `begin` gave to all of them. */
function eventsOf({ nodes, ...mark }: MarkOfStore): readonly EventMark[] {
  const byId = new Map<string, EventMark>();
  for (const { position, eventId } of [mark, ...(nodes?.values() ?? [])])
    if (eventId !== null) byId.set(eventId, { position, eventId });
  return [...byId.values()];
}

export type CheckIndexMark = () => Promise<IndexFinding>;

/** Compares the vector index with its journal: three short reads. */
export function createCheckIndexMark({
  journal,
  index,
}: {
  readonly journal: Pick<JournalIdentity, 'state' | 'eventIdsAt'>;
  /** As the port of the index's mark says. */
  readonly index: { readonly read: () => Promise<JournalMark | null> };
}): CheckIndexMark {
  return async () => indexFinding(await readComparison({ journal, store: index }));
}

/**
 * The comparison of graph and journal for the command side, which also remembers what it found. Saves the position of
 * a graph that was put back, because later commands move its mark forward over the events that it lacks, and the event
 * that a journal lost, because later commands of other processes might move the mark over it. An emptied graph has the
 * applied events when it gets its next mark.
 */
export function createTrackMark({
  journal,
  graph,
  memory,
  witness,
}: {
  readonly journal: JournalIdentity;
  readonly graph: Pick<GraphMark, 'read'>;
  readonly memory: MarkMemory;
  readonly witness?: Witness;
}): CheckMark {
  return async () => {
    const lacksFrom = memory.compare();
    const found = await readComparison({ journal, store: graph, seen: witness?.event() ?? null });
    const { mark, lost } = found;
    const { id: journalId, applied } = found.journal;
    if (lost !== null && found.journal.lost === null) await journal.saveLost({ ...lost, journalId });
    const isOurs = mark?.journalId === journalId;
    const from = isOurs ? lacksFrom(mark) : null;
    const behindFrom = from === null ? found.journal.behindFrom : Math.min(from, found.journal.behindFrom ?? Infinity);
    const finding = graphFinding({ ...found, journal: { ...found.journal, behindFrom } });
    if (finding.kind === 'put_back' && isOurs && found.journal.behindFrom === null)
      await journal.saveGraphBehind(behindFrom ?? mark.position);
    if (finding.kind === 'put_back' || finding.kind === 'emptied') memory.forget();
    if (finding.kind === 'emptied') memory.expect({ journalId, position: applied });
    else if (isOurs) {
      memory.expect(mark);
      if (mark.eventId !== null) witness?.saw({ position: mark.position, eventId: mark.eventId }, journalId);
    }
    return finding;
  };
}
