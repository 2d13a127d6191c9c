/** Compares the mark of the graph with its journal and says in words what happened. Pure. */
import type { JournalMark } from '../contract/envelope.js';
import type { JournalState } from './journal-identity.js';

export type MarkFinding =
  /** `unmarked`: no command side of this release has started on the graph yet. */
  | { readonly kind: 'same' | 'unmarked' }
  | {
      readonly kind: 'emptied' | 'put_back' | 'replaced' | 'journal_went_back';
      /** A sentence for an operator. */
      readonly problem: string;
      /** True when further commands would make it worse: they would mix two histories. */
      readonly refusesCommands: boolean;
    };

export function judgeMark({
  mark,
  journal,
  eventIdAtMark,
}: {
  readonly mark: JournalMark | null;
  /** Read before the mark, so that the graph can only be further than this. */
  readonly journal: JournalState;
  /** The event of the journal at the position of the mark, read after the mark. */
  readonly eventIdAtMark: string | null;
}): MarkFinding {
  if (mark === null) return journal.hasMarkedGraph ? emptied(journal) : { kind: 'unmarked' };
  if (mark.journalId !== journal.id) return replaced(mark, journal);
  if (mark.position > 0 && mark.eventId !== eventIdAtMark) return journalWentBack(mark, journal, eventIdAtMark);
  return mark.position < journal.applied ? putBack(mark, journal) : { kind: 'same' };
}

function emptied({ head }: JournalState): MarkFinding {
  return {
    kind: 'emptied',
    refusesCommands: false,
    problem:
      `The graph was emptied or replaced by an empty one: it has no mark of the journal, which has events up to position ${head}. ` +
      'Put the data of the graph back, or build the graph again from the journal',
  };
}

function replaced(mark: JournalMark, journal: JournalState): MarkFinding {
  return {
    kind: 'replaced',
    refusesCommands: true,
    problem:
      `The graph belongs to journal ${mark.journalId}, but the connected journal is ${journal.id}: one of the two was replaced. ` +
      'Commands are refused. Connect the graph and the journal that belong together',
  };
}

function journalWentBack(mark: JournalMark, { head }: JournalState, eventIdAtMark: string | null): MarkFinding {
  const found = eventIdAtMark === null ? `ends at position ${head}` : 'has another event there';
  return {
    kind: 'journal_went_back',
    refusesCommands: true,
    problem:
      `The journal went back in time: the graph has applied event ${mark.eventId} at position ${mark.position}, and the journal ${found}. ` +
      'Commands are refused. Connect the newer copy of the journal, or put the graph back to a state before that position',
  };
}

function putBack({ position }: JournalMark, { applied }: JournalState): MarkFinding {
  return {
    kind: 'put_back',
    refusesCommands: false,
    problem:
      `The graph was put back to an earlier state: it ends at position ${position}, and all events up to position ${applied} were applied to it. ` +
      'Put its newer data back, or apply the later events of the journal again',
  };
}
