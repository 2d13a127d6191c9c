/**
 * Compares the mark of the vector index with its journal and says in words what happened. An index that was put back to an earlier state is no
 * finding: several indexers move one mark, and those of an earlier release move none, so a low position is no proof. Pure.
 */
import { type Comparison, type ForeignOrigin, judgeOrigin, type MarkedStore } from './judge-origin.js';

/** `unmarked`: the index is empty, or no indexer of this release has written to it yet. */
export type IndexFinding = { readonly kind: 'same' | 'unmarked' } | ForeignOrigin;

const INDEX: MarkedStore = { name: 'vector index', consequence: 'Indexing waits' };

export function judgeIndexMark(comparison: Comparison): IndexFinding {
  return judgeOrigin(comparison, INDEX) ?? { kind: comparison.mark === null ? 'unmarked' : 'same' };
}
