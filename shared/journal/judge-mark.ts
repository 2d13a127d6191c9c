/** Compares the mark of the graph with its journal and says in words what happened. Pure. */
import type { JournalMark } from '../contract/envelope.js';
import type { JournalState } from './journal-identity.js';
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
    };

const GRAPH: MarkedStore = { name: 'graph', consequence: 'Commands are refused' };

export function judgeMark(comparison: Comparison): MarkFinding {
  const { mark, journal } = comparison;
  if (mark === null) return journal.hasMarkedGraph ? emptied(journal) : { kind: 'unmarked' };
  const foreign = judgeOrigin(comparison, GRAPH);
  if (foreign !== null) return { ...foreign, refusesCommands: true };
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

function putBack({ position }: JournalMark, { applied }: JournalState): MarkFinding {
  return {
    kind: 'put_back',
    refusesCommands: false,
    problem:
      `The graph was put back to an earlier state: it ends at position ${position}, and all events up to position ${applied} were applied to it. ` +
      'Put its newer data back, or apply the later events of the journal again',
  };
}
