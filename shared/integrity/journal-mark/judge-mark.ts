/** Compares the mark of the graph with its journal and says in words what happened. Pure. */
import type { JournalState, RebuildProgress } from '../../ports/journal-identity.js';
import { type Comparison, judgeOrigin, type MarkedStore } from './judge-origin.js';

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

export function judgeMark(comparison: Comparison): MarkFinding {
  const { mark, journal } = comparison;
  if (mark === null) return journal.hasMarkedGraph ? emptied(journal) : { kind: 'unmarked' };
  const foreign = judgeOrigin(comparison, GRAPH);
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
