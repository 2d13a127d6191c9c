/**
 * The port of the graph's mark: the journal from which the graph was made, and the applied position.
 * `GraphWriter.apply` moves the mark.
 */
import type { EventMark, JournalMark } from '../contract/envelope.js';

/** `others`: earlier events that other processes applied last. The journal has each of them, unless it went back. */
export type MarkOfGraph = JournalMark & { readonly others: readonly EventMark[] };

/** Each method throws DependencyError('graph') when the engine fails. */
export interface GraphMark {
  /** Null for a graph that has no mark. */
  read(): Promise<MarkOfGraph | null>;
  /** Marks a graph that has no mark. A graph that has one keeps it. */
  begin(mark: JournalMark): Promise<void>;
  /** True when the graph has or had memories. */
  hasSubjects(): Promise<boolean>;
}
