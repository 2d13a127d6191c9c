/**
 * Compares graph and vector index with their journal, by three short reads each. Also marks a graph that has no mark
 * yet.
 */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import { type Comparison, graphFinding, type IndexFinding, indexFinding, type MarkFinding } from './mark-findings.js';

/** As the port of the graph's mark says. */
export type MarkedGraph = {
  readonly read: () => Promise<JournalMark | null>;
  readonly begin: (mark: JournalMark) => Promise<void>;
  readonly hasSubjects: () => Promise<boolean>;
};

export type CheckMark = () => Promise<MarkFinding>;

export function createCheckMark({
  journal,
  graph,
}: {
  readonly journal: JournalIdentity;
  readonly graph: Pick<MarkedGraph, 'read'>;
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
  readonly graph: MarkedGraph;
}): Promise<void> {
  const state = await journal.state();
  if (state.hasMarkedGraph) return;
  const mark = await graph.read();
  if (mark === null && (state.head === 0 || (await graph.hasSubjects()))) {
    const eventId = state.applied === 0 ? null : await journal.eventIdAt(state.applied);
    await graph.begin({ journalId: state.id, position: state.applied, eventId });
  }
  if (mark === null || mark.journalId === state.id) await journal.saveGraphMarked();
}

/**
 * Reads what the comparison of a marked store with its journal needs. Three short reads, in the order that the
 * comparison needs.
 */
export async function readComparison({
  journal,
  store,
}: {
  readonly journal: Pick<JournalIdentity, 'state' | 'eventIdAt'>;
  readonly store: { readonly read: () => Promise<JournalMark | null> };
}): Promise<Comparison> {
  const state = await journal.state();
  const mark = await store.read();
  const isComparable = mark !== null && mark.position > 0 && mark.journalId === state.id;
  const eventIdAtMark = isComparable ? await journal.eventIdAt(mark.position) : null;
  return { mark, journal: state, eventIdAtMark };
}

export type CheckIndexMark = () => Promise<IndexFinding>;

/** Compares the vector index with its journal: three short reads. */
export function createCheckIndexMark({
  journal,
  index,
}: {
  readonly journal: Pick<JournalIdentity, 'state' | 'eventIdAt'>;
  /** As the port of the index's mark says. */
  readonly index: { readonly read: () => Promise<JournalMark | null> };
}): CheckIndexMark {
  return async () => indexFinding(await readComparison({ journal, store: index }));
}

/**
 * The comparison of graph and journal for the command side, which also remembers what it found. Saves the position of
 * a graph that was put back, because later commands move its mark forward over the events that it lacks. `expectMark`
 * receives the position below which the mark can no longer be; null while the graph lacks events.
 */
export function createTrackMark({
  journal,
  graph,
  expectMark,
}: {
  readonly journal: JournalIdentity;
  readonly graph: Pick<MarkedGraph, 'read'>;
  readonly expectMark: (position: number | null) => void;
}): CheckMark {
  return async () => {
    const comparison = await readComparison({ journal, store: graph });
    const finding = graphFinding(comparison);
    const { mark } = comparison;
    if (finding.kind === 'put_back' && mark !== null && comparison.journal.behindFrom === null)
      await journal.saveGraphBehind(mark.position);
    expectMark(finding.kind === 'same' && mark !== null ? mark.position : null);
    return finding;
  };
}
