/**
 * The port of the graph's mark: the journal from which the graph was made, and the applied position.
 * `GraphWriter.apply` moves the mark.
 */
import type { JournalMark } from '../contract/envelope.js';

export type MarkOfGraph = JournalMark & {
  /** By the name of the node that a process moves. Empty where the graph is one database with its journal. */
  readonly nodes: ReadonlyMap<string, MarkNode>;
  /** The replay that has not ended: the graph lacks events, whatever its position. */
  readonly replayId: string | null;
};

/**
 * The event that the processes of this node applied last, which the journal has unless it went back. `changes` counts
 * their transactions.
 */
export type MarkNode = Pick<JournalMark, 'position' | 'eventId'> & { readonly changes: number };

/**
 * What one process knows of the graph: the highest mark that it has seen, and its own transactions. A graph with less
 * was put back to an earlier state, also when other processes have moved the mark since.
 */
export interface MarkMemory {
  /**
   * Call it before the mark is read. The result says from which position the graph lacks events that it had at the
   * call; null when it lacks none.
   */
  compare(): (mark: MarkOfGraph) => number | null;
  /**
   * The graph has or had the events up to this position, so its mark is never below. A mark below is the mark of a
   * graph that was put back: it stays there until a replay moves it, so that the next comparison with the journal finds
   * it.
   */
  expect(mark: Pick<JournalMark, 'journalId' | 'position'>): void;
  /** The state that this process knows is gone, and the journal knows it. */
  forget(): void;
}

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
