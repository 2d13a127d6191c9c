/** Compares the mark of a store with its journal and says in words what happened. Pure. */
import type { EventMark, JournalMark } from '../../contract/envelope.js';
import { palimpsestCommand } from '../../kernel/palimpsest-command.js';
import type { MarkOfGraph } from '../../ports/graph-mark.js';
import type { JournalState, RebuildProgress } from '../../ports/journal-identity.js';

export type MarkFinding =
  /** `unmarked`: no command side of this release has started on the graph yet. */
  | { readonly kind: 'unmarked' }
  /** `position`: every event that was applied is at or below it. */
  | { readonly kind: 'same'; readonly position: number }
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
  const foreign = originFinding(comparison, GRAPH);
  if (foreign !== null) return { ...foreign, refusesCommands: true, rebuild: null };
  if (mark === null) return journal.hasMarkedGraph ? emptied(journal) : { kind: 'unmarked' };
  const endsAt = Math.min(mark.position, journal.behindFrom ?? Infinity);
  if (journal.behindFrom !== null || endsAt < journal.applied)
    return putBack(
      `it ends at position ${endsAt}, and all events up to position ${journal.applied} were applied to it`,
      journal,
    );
  return (mark.replayId ?? null) === null
    ? { kind: 'same', position: mark.position }
    : putBack('a rebuild of it has not ended', journal);
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

function putBack(what: string, { rebuild }: JournalState): MarkFinding {
  return {
    kind: 'put_back',
    refusesCommands: false,
    rebuild,
    problem: `The graph was put back to an earlier state: ${what}. ${remedyOf(rebuild)}`,
  };
}

function remedyOf(rebuild: RebuildProgress | null): string {
  return rebuild === null
    ? `Commands on memories that it lacks are refused. It is rebuilt from the journal by the command API, or by ${palimpsestCommand('rebuild graph')}`
    : `A rebuild from the journal runs: ${rebuild.subjects} of ${rebuild.totalSubjects} subjects`;
}

export type Comparison = {
  readonly mark: (JournalMark & Partial<Pick<MarkOfGraph, 'replayId'>>) | null;
  /** Read before the mark, so that the store can only be further than this. */
  readonly journal: JournalState;
  /**
   * The first event that the store or a process has and the journal lacks, and the event that the journal has there.
   * Read after the mark.
   */
  readonly lost: (EventMark & { readonly found: string | null }) | null;
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
 * Compares the mark of a store with the journal, and says in words that the two do not belong together. Pure. Null for
 * a store that was made from this journal, or that has no mark.
 */
function originFinding({ mark, journal, lost }: Comparison, store: MarkedStore): ForeignOrigin | null {
  if (lost !== null) return journalWentBack(lost, journal, store);
  return mark !== null && mark.journalId !== journal.id ? replaced(mark, journal, store) : null;
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
  { position, eventId, found }: NonNullable<Comparison['lost']>,
  { head }: JournalState,
  { name, consequence }: MarkedStore,
): ForeignOrigin {
  const instead = found === null ? `has none there and ends at position ${head}` : 'has another event there';
  return {
    kind: 'journal_went_back',
    problem:
      `The journal went back in time: event ${eventId} was committed at position ${position}, and the journal ${instead}. ` +
      `${consequence}. Connect the newer copy of the journal. Or accept that later writes are lost: ${palimpsestCommand('verify')} lists them in the ${name}, ` +
      `and ${palimpsestCommand('rebuild history')} makes the stores from the present journal`,
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
