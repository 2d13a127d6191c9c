/** Reads what the comparison of a marked store with its journal needs. */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';
import type { Comparison } from './judge-origin.js';

/** Three short reads, in the order that the comparison needs. */
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
