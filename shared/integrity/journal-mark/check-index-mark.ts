/** Compares the vector index with its journal: three short reads. */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import { type Comparison, type ForeignOrigin, judgeOrigin, type MarkedStore } from './judge-origin.js';
import { readComparison } from './read-comparison.js';

export type CheckIndexMark = () => Promise<IndexFinding>;

export function createCheckIndexMark({
  journal,
  index,
}: {
  readonly journal: Pick<JournalIdentity, 'state' | 'eventIdAt'>;
  /** As the port of the index's mark says. */
  readonly index: { readonly read: () => Promise<JournalMark | null> };
}): CheckIndexMark {
  return async () => judgeIndexMark(await readComparison({ journal, store: index }));
}

/** `unmarked`: the index is empty, or no indexer of this release has written to it yet. */
type IndexFinding = { readonly kind: 'same' | 'unmarked' } | ForeignOrigin;

const INDEX: MarkedStore = { name: 'vector index', consequence: 'Indexing waits' };

/**
 * Compares the mark of the vector index with its journal and says in words what happened. An index that was put back to an earlier state is no
 * finding: several indexers move one mark, and those of an earlier release move none, so a low position is no proof. Pure.
 */
export function judgeIndexMark(comparison: Comparison): IndexFinding {
  return judgeOrigin(comparison, INDEX) ?? { kind: comparison.mark === null ? 'unmarked' : 'same' };
}
