/** Thrown by a projector that has found out by itself which events can never be projected: it has tried them often enough and done the rest. */
import { PalimpsestError } from '../shared/kernel/errors.js';

export type PoisonedEvent = { readonly eventId: string; readonly reason: string; readonly attempts: number };

export class PoisonedEventsError extends PalimpsestError {
  readonly code = 'poison';
  readonly isRetryable = false;
  constructor(readonly poisoned: readonly PoisonedEvent[]) {
    super(poisoned.map(({ reason }) => reason).join('; '));
  }
}
