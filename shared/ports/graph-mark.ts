/**
 * The port of the graph's mark: the journal from which the graph was made, and the applied position.
 * `GraphWriter.apply` moves the mark.
 */
import type { EventMark, JournalMark } from '../contract/envelope.js';

export type MarkOfGraph = JournalMark & {
  /** Earlier events that other processes applied last. The journal has each of them, unless it went back. */
  readonly others: readonly EventMark[];
  /** The replay that has not ended: the graph lacks events, whatever its position. */
  readonly replayId: string | null;
};

/** Each method throws DependencyError('graph') when the engine fails. */
export interface GraphMark {
  /** Null for a graph that has no mark. */
  read(): Promise<MarkOfGraph | null>;
  /** Marks a graph that has no mark. A graph that has one keeps it. */
  begin(mark: JournalMark): Promise<void>;
  /** Notes in a graph with a schema that this replay fills it. Replaces the note of an earlier replay. */
  beginReplay(replayId: string): Promise<void>;
  /**
   * Removes the note. False when the graph has none or another one: it was emptied or put back since `beginReplay`, or
   * another replay has begun.
   */
  endReplay(replayId: string): Promise<boolean>;
  /** True when the graph has or had memories. */
  hasSubjects(): Promise<boolean>;
}
