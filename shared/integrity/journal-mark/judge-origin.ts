/** Compares the mark of a store with the journal, and says in words that the two do not belong together. Pure. */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalState } from '../../ports/journal-identity.js';

export type Comparison = {
  readonly mark: JournalMark | null;
  /** Read before the mark, so that the store can only be further than this. */
  readonly journal: JournalState;
  /** The event of the journal at the position of the mark, read after the mark. */
  readonly eventIdAtMark: string | null;
};

export type MarkedStore = {
  /** As in "the graph". */
  readonly name: string;
  /** What the service does because of the finding: a sentence without its full stop. */
  readonly consequence: string;
};

export type ForeignOrigin = {
  readonly kind: 'journal_went_back' | 'replaced';
  /** A sentence for an operator. */
  readonly problem: string;
};

/** Null without a mark, and for a store that was made from this journal. */
export function judgeOrigin({ mark, journal, eventIdAtMark }: Comparison, store: MarkedStore): ForeignOrigin | null {
  if (mark === null) return null;
  if (mark.journalId !== journal.id) return replaced(mark, journal, store);
  return mark.position > 0 && mark.eventId !== eventIdAtMark
    ? journalWentBack({ mark, journal, eventIdAtMark }, store)
    : null;
}

function replaced(
  { journalId }: JournalMark,
  { id }: Pick<JournalState, 'id'>,
  { name, consequence }: MarkedStore,
): ForeignOrigin {
  return {
    kind: 'replaced',
    problem:
      `The ${name} belongs to journal ${journalId}, but the connected journal is ${id}: one of the two was replaced. ` +
      `${consequence}. Connect the ${name} and the journal that belong together`,
  };
}

function journalWentBack(
  { mark, journal, eventIdAtMark }: Comparison & { readonly mark: JournalMark },
  { name, consequence }: MarkedStore,
): ForeignOrigin {
  const found = eventIdAtMark === null ? `ends at position ${journal.head}` : 'has another event there';
  return {
    kind: 'journal_went_back',
    problem:
      `The journal went back in time: the ${name} has applied event ${mark.eventId} at position ${mark.position}, and the journal ${found}. ` +
      `${consequence}. Connect the newer copy of the journal, or put the ${name} back to a state before that position`,
  };
}
