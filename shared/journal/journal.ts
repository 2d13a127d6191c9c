/** Reading the journal, and the tables that stand beside it: dead letters, projector states. Writing events is the committer's alone. */
import type { EventType, RecordedEvent } from '../contract/events.js';

export interface JournalReader {
  /**
   * Events after a position, in position order, at most `limit`. Positions follow commit order, so a reader that remembers the last
   * one it saw misses nothing; numbers may have gaps. Erased events come with `data: null`.
   */
  read(request: {
    readonly after: number;
    /** The last position that is looked at, so that a rare type does not read the whole journal; the end of it when absent. */
    readonly through?: number;
    readonly limit: number;
    readonly types?: readonly EventType[];
    readonly subject?: string;
    /** With `subject`: only versions of it above this one. */
    readonly afterVersion?: number;
  }): Promise<readonly RecordedEvent[]>;
  /** The last committed position; 0 for an empty journal. */
  head(): Promise<number>;
  /** Answers when the engine really did; throws DependencyError otherwise. */
  ping(): Promise<void>;
}

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
  /** Somebody asked for another attempt, and no instance has taken it yet. */
  readonly awaitsRedrive: boolean;
};

export type NewDeadLetter = Omit<DeadLetter, 'id' | 'awaitsRedrive'>;

export interface DeadLetters {
  /** Idempotent by projector and event: adding again updates reason, attempts and time, and asks for no further attempt. */
  add(letter: NewDeadLetter): Promise<void>;
  /** Those of them that there are, by id. */
  get(ids: readonly number[]): Promise<readonly DeadLetter[]>;
  /** Asks for another attempt at each; for instances of their projectors to take. */
  requestRedrive(ids: readonly number[]): Promise<void>;
  /** Takes what was asked for: each letter goes to one caller, and awaits nothing from then on. By id, at most `limit`. */
  takeRedrives(projector: string, limit: number): Promise<readonly DeadLetter[]>;
  /** Removes them unprojected. */
  discard(ids: readonly number[]): Promise<void>;
  list(request: {
    readonly projector?: string;
    readonly afterId: number;
    readonly limit: number;
  }): Promise<readonly DeadLetter[]>;
  /** Removes the letters of this subject up to and including this version: something newer was projected, or has a letter itself. Returns how many. */
  resolve(letter: { readonly projector: string; readonly subject: string; readonly version: number }): Promise<number>;
  count(projector?: string): Promise<number>;
  /** Which of these subjects have a letter of that projector at or above the given version. */
  find(
    projector: string,
    subjects: readonly { readonly subject: string; readonly version: number }[],
  ): Promise<ReadonlySet<string>>;
}

/** What one projector, in one process, tells of itself. Whoever answers a status question reads it from here. */
export type ProjectorState = {
  readonly name: string;
  readonly instance: string;
  /** The last position whose effect is durable. */
  readonly position: number;
  readonly handled: number;
  readonly failed: number;
  readonly lastError: string | null;
  readonly lastErrorAt: string | null;
  readonly paused: boolean;
  /** It has ended in order and answers for nothing any more. */
  readonly stopped: boolean;
  /** ISO time of the last sign of life. */
  readonly heartbeatAt: string;
  /** For how long after that its share of the events may be nobody's when it was killed; absent in what an earlier release wrote. */
  readonly takeoverMs?: number;
  /** Events handled a second over the last minute; absent in what an earlier release wrote. */
  readonly ratePerSecond?: number;
  /** What this projector alone knows of itself, such as the last memory that it worked on. */
  readonly detail?: Readonly<Record<string, string | number | null>>;
};

/** After a day without a sign of life an instance is gone for good. */
export const PROJECTOR_STATE_LIFE_MS = 24 * 60 * 60 * 1_000;

export interface ProjectorStates {
  /** Forgets instances of the same projector whose last sign of life is PROJECTOR_STATE_LIFE_MS older than this one: instances come and go. */
  save(state: ProjectorState): Promise<void>;
  list(): Promise<readonly ProjectorState[]>;
  /** Whether all instances of a projector, those to come included, are to stand still. */
  setPaused(name: string, paused: boolean): Promise<void>;
  /** The names of those that are to stand still. */
  paused(): Promise<ReadonlySet<string>>;
}
