/** The error for a command or a repeated request that needs an event which the graph failed to apply. */
import { ConflictError, DependencyError, type PalimpsestError } from '../../../kernel/errors.js';
import type { PendingEvent } from './pending-rows.js';

/** The graph failed to apply it before: only its own next attempt, or a redrive, applies it. */
export function isUnfinished({ attempts, letter }: PendingEvent): boolean {
  return attempts > 0 || letter !== null;
}

/** The `Retry-After` of commands that are refused while the graph is down or too far behind. */
export const RETRY_AFTER_SECONDS = 2;

export function unfinishedError({ event: { subject }, letter }: PendingEvent): PalimpsestError {
  if (letter === null) {
    const message = `A saved change of ${subject} could not be applied to the graph yet: it is tried again soon`;
    return new DependencyError('graph', message, { retryAfterSeconds: RETRY_AFTER_SECONDS, isReachable: true });
  }
  return new ConflictError(
    `A saved change of ${subject} could not be applied to the graph and is dead letter ${letter} of 'commit': redrive it with POST /admin/dead-letters/redrive, then send this request again`,
  );
}
