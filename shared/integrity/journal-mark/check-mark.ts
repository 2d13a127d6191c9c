/** Compares the graph with its journal: three short reads. Also marks a graph that has no mark yet. */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import { judgeMark, type MarkFinding } from './judge-mark.js';
import { readComparison } from './read-comparison.js';

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
  return async () => judgeMark(await readComparison({ journal, store: graph }));
}

/**
 * For the command side at its start. A new graph of a new journal gets its mark. A graph of an earlier release, which kept no mark, is taken
 * for the graph of this journal. An empty graph under a journal with events gets none, so that it is reported as emptied.
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
