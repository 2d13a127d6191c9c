/**
 * Keeps the mark of the journal in the vector index. Before a batch it compares the index with the journal, and writes
 * nothing to an index that does not belong to it: the source waits and delivers the events again. After a batch it
 * moves the mark.
 */
import type { RecordedEvent } from '../../shared/contract/events.js';
import { readComparison } from '../../shared/integrity/journal-mark/check-mark.js';
import { indexFinding } from '../../shared/integrity/journal-mark/mark-findings.js';
import { DependencyError } from '../../shared/kernel/errors.js';
import type { IndexMark } from '../../shared/ports/index-mark.js';
import type { JournalIdentity } from '../../shared/ports/journal-identity.js';
import type { VectorIndexer } from './vector-indexer.js';

export type IndexMarks = {
  readonly journal: Pick<JournalIdentity, 'state' | 'eventIdsAt'>;
  readonly index: IndexMark;
};

/** Shortest time between two comparisons, and between two moves of the mark. */
export const INDEX_MARK_MS = 1_000;

export function createMarkedIndexer({
  indexer,
  marks: { journal, index },
  intervalMs = INDEX_MARK_MS,
  now = () => performance.now(),
}: {
  readonly indexer: VectorIndexer;
  readonly marks: IndexMarks;
  readonly intervalMs?: number;
  /** In milliseconds. */
  readonly now?: () => number;
}): VectorIndexer {
  /** The last comparison that found no problem. */
  let compared: { readonly journalId: string; readonly at: number } | null = null;
  let movedAt = -Infinity;

  /** Returns the identity of the journal. Throws DependencyError('vectors') while the index does not belong to it. */
  async function requireSameJournal(): Promise<string> {
    if (compared !== null && now() - compared.at < intervalMs) return compared.journalId;
    const comparison = await readComparison({ journal, store: index });
    const finding = indexFinding(comparison);
    if ('problem' in finding) throw new DependencyError('vectors', finding.problem);
    compared = { journalId: comparison.journal.id, at: now() };
    return compared.journalId;
  }

  async function advance(journalId: string, events: readonly RecordedEvent[]): Promise<void> {
    if (now() - movedAt < intervalMs) return;
    const [first, ...others] = events;
    if (first === undefined) return;
    const last = others.reduce((highest, event) => (event.position > highest.position ? event : highest), first);
    await index.advance({ journalId, position: last.position, eventId: last.id });
    movedAt = now();
  }

  return {
    ...indexer,
    project: async (events, signal) => {
      const journalId = await requireSameJournal();
      await indexer.project(events, signal);
      await advance(journalId, events);
    },
    repair: async (repair, signal) => {
      await requireSameJournal();
      await indexer.repair(repair, signal);
    },
  };
}
