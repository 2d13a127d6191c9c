/** Compares the vector index with its journal: three short reads. */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import { type IndexFinding, judgeIndexMark } from './judge-index-mark.js';
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
