/** A projector: follows the events and keeps one read model, or reacts to them. Safe to run twice over the same events. */
import type { EventType, RecordedEvent } from '../shared/contract/events.js';
import type { ProjectorState } from '../shared/journal/journal.js';

export interface Projector {
  readonly name: string;
  readonly handles: readonly EventType[];
  /**
   * Projects these events, in order. All or some may have been projected before, so it compares versions and ignores what is not
   * newer. `data: null` means that the words were erased and a deletion follows. Throws retryable errors (waits and comes
   * again), PoisonError or any other (the event goes to the dead letters when it fails alone).
   */
  project(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void>;
  /** What its state tells beside what all projectors tell. */
  detail?(): NonNullable<ProjectorState['detail']>;
}
