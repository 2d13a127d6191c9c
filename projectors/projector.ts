/**
 * The projector port: follows the events and maintains one read model, or reacts to events. Running it twice on the
 * same events is safe.
 */
import type { EventType, RecordedEvent } from '../shared/contract/events.js';
import { PalimpsestError, reportOf } from '../shared/kernel/errors.js';
import type { ProjectorState } from '../shared/ports/journal.js';

export interface Projector {
  readonly name: string;
  readonly handles: readonly EventType[];
  /**
   * Projects these events, in order. All or some of them may already be projected, so it compares versions and ignores
   * events that are not newer. `data: null` means that the content was erased and a deletion follows. Throws a
   * retryable error (the source waits and delivers the events again), PoisonedEventsError, or PoisonError or any other
   * error (an event that also fails alone goes to the dead letters).
   */
  project(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void>;
  /** Further fields of its state, in addition to the fields of every projector. */
  detail?(): NonNullable<ProjectorState['detail']>;
}

export type PoisonedEvent = { readonly eventId: string; readonly error: Error; readonly attempts: number };

/**
 * Names the events of a batch that can never be projected. Thrown by a projector that has tried them as often as it may
 * and has projected all other events of the batch.
 */
export class PoisonedEventsError extends PalimpsestError {
  readonly code = 'poison';
  readonly isRetryable = false;
  constructor(readonly poisoned: readonly PoisonedEvent[]) {
    super(poisoned.map(({ error }) => reportOf(error)).join('; '));
  }
}
