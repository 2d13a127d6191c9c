/** The port of the journal's identity, with which stores that are made from the journal are compared. */
import type { EventMark } from '../contract/envelope.js';

export const REBUILD_HEARTBEAT_TIMEOUT_MS = 15_000;

/** How far a rebuild of the graph is. */
export type RebuildProgress = {
  /** Events that were read and applied; most subjects have one. */
  readonly events: number;
  /** Subjects that were visited, and all subjects of the journal at the start. */
  readonly subjects: number;
  readonly totalSubjects: number;
};

export type JournalState = {
  /** A UUID, made with the tables of the journal, and by `beginHistory`. */
  readonly id: string;
  /** The last committed position; 0 for an empty journal. */
  readonly head: number;
  /** The position of an event that the graph has for certain, with all before it; 0 without one. */
  readonly applied: number;
  /** True once a graph has the mark of this journal. A graph without a mark is then empty, or another one. */
  readonly hasMarkedGraph: boolean;
  /**
   * The graph lacks events after this position, because it was put back to an earlier state; null while it lacks none
   * that is known.
   */
  readonly behindFrom: number | null;
  /**
   * An event that was committed, and that the journal lacks: it went back to an earlier state. Null while none is
   * known.
   */
  readonly lost: EventMark | null;
  /** Null while no rebuild of the graph runs. */
  readonly rebuild: RebuildProgress | null;
};

/** An event that was in the journal, and its history; null while the history is unknown. */
export type SeenEvent = EventMark & { readonly journalId: string | null };

/** The newest event that a process knows to be in the journal. */
export interface Witness {
  /** Null before the first event. */
  event(): SeenEvent | null;
  /**
   * The journal has this event. A position below the known one changes nothing. `journalId` of the first call with one
   * is the history of all events, because a process follows one.
   */
  saw(event: EventMark, journalId?: string): void;
}

/** Each method costs one short read or write, and throws DependencyError when the engine fails. */
export interface JournalIdentity {
  state(): Promise<JournalState>;
  /** `JournalState.id` alone. */
  id(): Promise<string>;
  /** The ids of the events at these positions, at most 1,000. A position without an event is missing. */
  eventIdsAt(positions: readonly number[]): Promise<ReadonlyMap<number, string>>;
  /**
   * Saves an event that the journal lacks. The first one that is saved stays. Without effect when another history has
   * begun.
   */
  saveLost(event: SeenEvent): Promise<void>;
  /**
   * The present events become the whole history: the journal gets another identity, and no event is known as lost.
   * Stores in the file of the journal went back with it and stay; others no longer belong to it and are made again.
   */
  beginHistory(): Promise<void>;
  /** Saves that a graph has the mark of this journal. */
  saveGraphMarked(): Promise<void>;
  /** Saves that the graph lacks events after this position. Of two positions the lower one stays. */
  saveGraphBehind(from: number): Promise<void>;
  /**
   * Saves that the graph lacks none of these events any more. Without effect when another position was saved meanwhile.
   */
  saveGraphCaughtUp(from: number): Promise<void>;
  /**
   * A heartbeat of the rebuild, or null at its end. Without another call a rebuild counts as running for
   * REBUILD_HEARTBEAT_TIMEOUT_MS.
   */
  saveRebuild(progress: RebuildProgress | null): Promise<void>;
}
