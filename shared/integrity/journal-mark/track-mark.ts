/** The comparison of graph and journal for the command side, which also remembers what it found. */
import type { JournalIdentity } from '../../ports/journal-identity.js';
import { type CheckMark, type MarkedGraph } from './check-mark.js';
import { judgeMark } from './judge-mark.js';
import { readComparison } from './read-comparison.js';

/**
 * Saves the position of a graph that was put back, because later commands move its mark forward over the events that it lacks.
 * `expectMark` receives the position below which the mark can no longer be; null while the graph lacks events.
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
    const finding = judgeMark(comparison);
    const { mark } = comparison;
    if (finding.kind === 'put_back' && mark !== null && comparison.journal.behindFrom === null)
      await journal.saveGraphBehind(mark.position);
    expectMark(finding.kind === 'same' && mark !== null ? mark.position : null);
    return finding;
  };
}
