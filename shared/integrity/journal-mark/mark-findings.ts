/** Compares the mark of a store with its journal and says in words what happened. Pure. */
import type { JournalMark } from '../../contract/envelope.js';
import type { JournalState, RebuildProgress } from '../../ports/journal-identity.js';

export type MarkFinding =
  /** `unmarked`: no command side of this release has started on the graph yet. */
  | { readonly kind: 'same' | 'unmarked' }
  | {
      readonly kind: 'emptied' | 'put_back' | 'replaced' | 'journal_went_back';
      /** A sentence for an operator. */
      readonly problem: string;
      /** True when further commands would make it worse: they would mix two histories. */
      readonly refusesCommands: boolean;
      /** Null while no rebuild of the graph runs. */
      readonly rebuild: RebuildProgress | null;
    };

/** The graph lacks events that a rebuild from the journal brings back. */
export function isBehind({ kind }: MarkFinding): boolean {
  return kind === 'emptied' || kind === 'put_back';
}

const GRAPH: MarkedStore = { name: 'graph', consequence: 'Commands are refused' };

export function graphFinding(comparison: Comparison): MarkFinding {
  const { mark, journal } = comparison;
  if (mark === null) return journal.hasMarkedGraph ? emptied(journal) : { kind: 'unmarked' };
  const foreign = originFinding(comparison, GRAPH);
  if (foreign !== null) return { ...foreign, refusesCommands: true, rebuild: null };
  const endsAt = Math.min(mark.position, journal.behindFrom ?? Infinity);
  return journal.behindFrom !== null || endsAt < journal.applied ? putBack(endsAt, journal) : { kind: 'same' };
}

function emptied({ head, rebuild }: JournalState): MarkFinding {
  return {
    kind: 'emptied',
    refusesCommands: false,
    rebuild,
    problem:
      `The graph was emptied or replaced by an empty one: it has no mark of the journal, which has events up to position ${head}. ` +
      remedyOf(rebuild),
  };
}

function putBack(position: number, { applied, rebuild }: JournalState): MarkFinding {
  return {
    kind: 'put_back',
    refusesCommands: false,
    rebuild,
    problem:
      `The graph was put back to an earlier state: it ends at position ${position}, and all events up to position ${applied} were applied to it. ` +
      remedyOf(rebuild),
  };
}

function remedyOf(rebuild: RebuildProgress | null): string {
  return rebuild === null
    ? 'Commands on memories that it lacks are refused. It is rebuilt from the journal by the command API, or by `npm run rebuild -- graph`'
    : `A rebuild from the journal runs: ${rebuild.subjects} of ${rebuild.totalSubjects} subjects`;
}

export type Comparison = {
  readonly mark: JournalMark | null;
  /** Read before the mark, so that the store can only be further than this. */
  readonly journal: JournalState;
  /** The event of the journal at the position of the mark, read after the mark. */
  readonly eventIdAtMark: string | null;
};

type MarkedStore = {
  /** As in "the graph". */
  readonly name: string;
  /** What the service does because of the finding: a sentence without its full stop. */
  readonly consequence: string;
};

type ForeignOrigin = {
  readonly kind: 'journal_went_back' | 'replaced';
  /** A sentence for an operator. */
  readonly problem: string;
};

/**
 * Compares the mark of a store with the journal, and says in words that the two do not belong together. Pure. Null
 * without a mark, and for a store that was made from this journal.
 */
function originFinding({ mark, journal, eventIdAtMark }: Comparison, store: MarkedStore): ForeignOrigin | null {
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

/** `unmarked`: the index is empty, or no indexer of this release has written to it yet. */
export type IndexFinding = { readonly kind: 'same' | 'unmarked' } | ForeignOrigin;

const INDEX: MarkedStore = { name: 'vector index', consequence: 'Indexing waits' };

/**
 * Compares the mark of the vector index with its journal and says in words what happened. An index that was put back
 * to an earlier state is no finding: several indexers move one mark, and those of an earlier release move none, so a
 * low position is no proof. Pure.
 */
export function indexFinding(comparison: Comparison): IndexFinding {
  return originFinding(comparison, INDEX) ?? { kind: comparison.mark === null ? 'unmarked' : 'same' };
}
