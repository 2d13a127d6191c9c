/**
 * The ports of the journal and its side tables: reading events, dead letters and projector states. Only the committer
 * writes events.
 */
import type { EventType, RecordedEvent } from '../contract/events.js';

export interface JournalReader {
  /**
   * Events after a position, in position order, at most `limit`. Positions follow the order of commits, so a reader
   * that continues after the last position it saw misses no event; numbers may have gaps. Erased events have `data:
   * null`.
   */
  read(request: {
    readonly after: number;
    /**
     * The last position to read, so that a rare type does not read the whole journal. Absent: the end of the journal.
     */
    readonly through?: number;
    readonly limit: number;
    readonly types?: readonly EventType[];
    readonly subject?: string;
    /** With `subject`: only versions above this one. */
    readonly afterVersion?: number;
  }): Promise<readonly RecordedEvent[]>;
  /**
   * The last event of each subject, at most `limit`, in an order of subjects that the engine chooses and keeps.
   * `after`: the subject of the last event of the page before, '' for the first page. An empty page ends the walk.
   * Erased events have `data: null`. Events that are committed during the walk may be missing.
   */
  states(request: { readonly after: string; readonly limit: number }): Promise<readonly RecordedEvent[]>;
  /** About the number of subjects with an event, for the progress of a rebuild; exact for a few thousand. */
  estimateSubjects(): Promise<number>;
  /**
   * The last event of each of these types of each of these subjects, in no order; subjects without one are missing. At
   * most 1,000 subjects in one call.
   */
  lastOf(request: {
    readonly subjects: readonly string[];
    readonly types: readonly EventType[];
  }): Promise<readonly RecordedEvent[]>;
  /** The last committed position; 0 for an empty journal. */
  head(): Promise<number>;
  /**
   * The time in ms since the first event after this position was committed; null without such an event. By the clock of
   * the journal, so the clocks of processes do not matter.
   */
  ageAfter(position: number): Promise<number | null>;
  /**
   * Counts the newest `limit` events after a position by type and by step, without their data. A step is the time of
   * the commit in ms, divided by `stepMs` (whole seconds) and rounded down, by the clock of the journal.
   */
  countSteps(request: CountedSteps): Promise<StepCounts>;
  /** For metrics: reads no whole table of events. */
  size(): Promise<JournalSize>;
  /** Resolves only after a reply of the engine; throws DependencyError otherwise. */
  ping(): Promise<void>;
}

export type CountedSteps = { readonly after: number; readonly stepMs: number; readonly limit: number };

export type StepCounts = {
  /** The last committed position; 0 for an empty journal. */
  readonly head: number;
  /** The present step of the journal's clock. Events of a clock that was set back may be in later ones. */
  readonly now: number;
  /** In no order. */
  readonly counts: readonly EventCount[];
};

export type EventCount = { readonly step: number; readonly type: EventType; readonly events: number };

export type JournalSize = {
  /** Of the events with their indexes; where everything is one file, of that file. */
  readonly bytes: number;
  /** Memories, associations and entities that were deleted, each of which keeps its version. May be an estimate. */
  readonly deletedSubjects: number;
};

export type DeadLetter = {
  readonly id: number;
  readonly projector: string;
  readonly eventId: string;
  readonly subject: string;
  readonly type: string;
  readonly version: number;
  readonly position: number;
  readonly reason: string;
  readonly attempts: number;
  /** ISO time. */
  readonly at: string;
  /** A redrive was requested, and no projector instance has taken it yet. */
  readonly awaitsRedrive: boolean;
};

export type NewDeadLetter = Omit<DeadLetter, 'id' | 'awaitsRedrive'>;

export interface DeadLetters {
  /**
   * Idempotent by projector and event: a repeated call updates reason, attempts and time, and clears a requested
   * redrive.
   */
  add(letter: NewDeadLetter): Promise<void>;
  /** The existing letters among `ids`, in the order of ids. */
  get(ids: readonly number[]): Promise<readonly DeadLetter[]>;
  /** Requests another attempt at each letter. An instance of its projector takes the request. */
  requestRedrive(ids: readonly number[]): Promise<void>;
  /**
   * Takes requested redrives, in the order of ids, at most `limit`. Each request goes to exactly one caller and is then
   * cleared.
   */
  takeRedrives(projector: string, limit: number): Promise<readonly DeadLetter[]>;
  /** Deletes letters without projecting their events. */
  discard(ids: readonly number[]): Promise<void>;
  list(request: {
    readonly projector?: string;
    readonly afterId: number;
    readonly limit: number;
  }): Promise<readonly DeadLetter[]>;
  /**
   * Deletes the letters of this subject up to and including this version, because a newer event was projected or has
   * its own letter. Returns the number of deleted letters.
   */
  resolve(letter: { readonly projector: string; readonly subject: string; readonly version: number }): Promise<number>;
  count(projector?: string): Promise<number>;
  /** Which of these subjects have a letter of that projector at or above the given version. */
  find(
    projector: string,
    subjects: readonly { readonly subject: string; readonly version: number }[],
  ): Promise<ReadonlySet<string>>;
}

/** The state that one projector instance saves about itself. Status requests read it. */
export type NewProjectorState = {
  readonly name: string;
  readonly instance: string;
  /** The last position with a durable effect. */
  readonly position: number;
  readonly handled: number;
  readonly failed: number;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  readonly paused: boolean;
  /** True after an orderly shutdown: the instance no longer has a part of the events. */
  readonly stopped: boolean;
  /**
   * The longest time after the last heartbeat until another instance takes over the events of a killed instance. Absent
   * in states of earlier releases.
   */
  readonly takeoverMs?: number;
  /** Events handled per second over the last minute. Absent in states of earlier releases. */
  readonly ratePerSecond?: number;
  /** Further fields of this projector only, for example the last memory that it processed. */
  readonly detail?: Readonly<Record<string, string | number | null>>;
};

/**
 * A saved state with its last heartbeat, by the clock of the journal. Compare ages, never a time with the clock of a
 * process: clocks of hosts may differ by hours.
 */
export type ProjectorState = NewProjectorState & {
  /** ISO time. */
  readonly heartbeatAt: string;
  /** The age when the state was listed. */
  readonly heartbeatAgeMs: number;
};

/** An instance without a heartbeat for one day is removed. */
export const PROJECTOR_STATE_RETENTION_MS = 24 * 60 * 60 * 1_000;

export interface ProjectorStates {
  /**
   * Saves a heartbeat. Also deletes states of the same projector without a heartbeat for PROJECTOR_STATE_RETENTION_MS,
   * because instances come and go. A heartbeat of another instance that lies in the future, because the clock of the
   * journal was set back, becomes one of now.
   */
  save(state: NewProjectorState): Promise<void>;
  list(): Promise<readonly ProjectorState[]>;
  /** Pauses or resumes all instances of a projector, including later ones. */
  setPaused(name: string, paused: boolean): Promise<void>;
  /** The names of the paused projectors. */
  paused(): Promise<ReadonlySet<string>>;
}
