/**
 * Passes events to one projector, finds the events that can never be projected (poisoned events) and moves them to the
 * dead letters. A retryable error is rethrown: the source waits and delivers the events again. When many subjects fail
 * and no other succeeds, their store is to blame and not the events: the source waits as well.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import { type Clock, formatTimestamp } from '../shared/kernel/clock.js';
import { DependencyError, isRetryable, reportOf } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import { withBatchSpan } from '../shared/kernel/tracing/tracing.js';
import type { DeadLetter, DeadLetters, ProjectorState } from '../shared/ports/journal.js';
import { isKnownEvent, unknownEventError } from '../shared/ports/known-events.js';
import { PoisonedEventsError, type Projector } from './projector.js';
import type { Rate } from './rate.js';

const REASON_LIMIT_CHARACTERS = 500;
/** An event that fails is tried once in its batch and once alone. */
const ATTEMPTS = 2;

/**
 * The store counts as down when so many subjects failed, each alone, and nothing was projected between them. An outage
 * of any length gives fewer dead letters than this for each process. Events that fail next to others that succeed are
 * poisoned, however many they are.
 */
export const REFUSED_SUBJECTS = 16;
/** The next attempt is one write of the whole batch, and one of each event. */
const REFUSED_RETRY_SECONDS = 30;

/** The counters of a projector's state that change with each batch. */
export type Progress = { -readonly [K in 'handled' | 'failed' | 'lastError' | 'lastErrorAt']: ProjectorState[K] };

export type EventHandler = {
  /**
   * Resolves when each event is projected or has a dead letter. Rejects with a retryable error, also for an event of a
   * newer release.
   */
  readonly project: (events: readonly RecordedEvent[], signal: AbortSignal) => Promise<void>;
  /**
   * Projects the event of a dead letter again; if it fails, the event gets a new dead letter. Rejects with a retryable
   * error.
   */
  readonly retry: (event: RecordedEvent, letter: DeadLetter, signal: AbortSignal) => Promise<void>;
};

export function createEventHandler({
  projector,
  deadLetters,
  logger,
  clock,
  progress,
  rate,
}: {
  readonly projector: Projector;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly progress: Progress;
  readonly rate: Rate;
}): EventHandler {
  /** The subjects that failed alone since an event was projected. */
  const failedAlone = new Set<string>();

  async function project(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    await projector.project(events, signal);
    if (events.some(isProof)) failedAlone.clear();
    await resolveLetters(events);
    countHandled(events.length);
  }

  function countHandled(count: number): void {
    progress.handled += count;
    rate.add(count);
  }

  /** Leaves out redelivered events that already have a dead letter: only a redrive tries those again. */
  async function withoutDeadLetters(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const newest = newestVersions(events);
    const subjects = await deadLetters.find(
      projector.name,
      [...newest].map(([subject, version]) => ({ subject, version })),
    );
    return subjects.size === 0 ? events : events.filter(({ subject }) => !subjects.has(subject));
  }

  async function resolveLetters(events: readonly RecordedEvent[]): Promise<void> {
    const newest = newestVersions(events);
    const subjects = await deadLetters.find(
      projector.name,
      [...newest.keys()].map((subject) => ({ subject, version: 0 })),
    );
    for (const subject of subjects)
      await deadLetters.resolve({ projector: projector.name, subject, version: newest.get(subject) ?? 0 });
  }

  /**
   * Null when every event is projected or has a dead letter; the problem when the events failed with an error that is
   * not retryable. Rethrows retryable errors. `earlier`: attempts before this one, which count for the dead letter.
   */
  async function attempt(
    events: readonly RecordedEvent[],
    signal: AbortSignal,
    earlier = 0,
  ): Promise<{ readonly error: unknown } | null> {
    try {
      await project(events, signal);
      return null;
    } catch (error) {
      if (error instanceof PoisonedEventsError) return addPoisonLetters(events, error, earlier);
      if (!(error instanceof DependencyError && error.isWait)) noteError(reportOf(error));
      if (signal.aborted || isRetryable(error)) throw error;
      logger.warn({ err: error, events: events.length }, 'events could not be projected');
      return { error };
    }
  }

  /** The projector itself named the poisoned events; it has projected the rest of the batch. */
  async function addPoisonLetters(
    events: readonly RecordedEvent[],
    { poisoned, message }: PoisonedEventsError,
    earlier: number,
  ): Promise<null> {
    noteError(message);
    const failures = new Map(poisoned.map((failure) => [failure.eventId, failure]));
    for (const event of events) {
      const failure = failures.get(event.id);
      if (failure) await addLetter(event, { attempts: earlier + failure.attempts, error: failure.error });
    }
    const projected = events.filter(({ id }) => !failures.has(id));
    await resolveLetters(projected);
    countHandled(projected.length);
    return null;
  }

  function noteError(report: string): void {
    progress.lastError = report.slice(0, REASON_LIMIT_CHARACTERS);
    progress.lastErrorAt = formatTimestamp(clock.now());
  }

  async function addLetter(
    { id, subject, type, version, position }: RecordedEvent,
    { error, attempts }: Pick<DeadLetter, 'attempts'> & { readonly error: unknown },
  ): Promise<void> {
    const reason = reportOf(error).slice(0, REASON_LIMIT_CHARACTERS);
    const letter = { projector: projector.name, eventId: id, subject, type, version, position, reason, attempts };
    await deadLetters.add({ ...letter, at: formatTimestamp(clock.now()) });
    await deadLetters.resolve({ projector: projector.name, subject, version: version - 1 }); // this letter replaces the older ones
    progress.failed += 1;
    logger.error({ err: error, eventId: id, subject, version }, 'event moved to the dead letters');
  }

  function traced(events: readonly RecordedEvent[], work: () => Promise<void>): Promise<void> {
    return withBatchSpan(`project ${projector.name}`, { kind: 'consumer', events }, work);
  }

  async function projectHandled(handled: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    const due = await withoutDeadLetters(handled);
    if (due.length === 0 || (await attempt(due, signal)) === null) return;
    const failed: Failure[] = [];
    for (const event of due) {
      const failure = await attempt([event], signal);
      if (failure) failed.push({ event, ...failure });
    }
    const failures = new Set(failed.map(({ event }) => event));
    if (!due.some((event) => isProof(event) && !failures.has(event))) requireBlamed(failed);
    for (const { event, error } of failed) await addLetter(event, { error, attempts: ATTEMPTS });
  }

  /** Throws while failures are the store's and not of these events, which all failed. */
  function requireBlamed(failed: readonly Failure[]): void {
    for (const { event } of failed) failedAlone.add(event.subject);
    if (failedAlone.size < REFUSED_SUBJECTS) return;
    throw new DependencyError(
      'stream',
      `${projector.name} projected none of ${failedAlone.size} subjects in a row, so their store counts as down: ${reportOf(failed.at(-1)?.error)}`,
      { retryAfterSeconds: REFUSED_RETRY_SECONDS },
    );
  }

  return {
    project: async (events, signal) => {
      const { known, unknown } = knownEvents(events);
      const handled = known.filter(({ type }) => projector.handles.includes(type));
      if (handled.length > 0) await traced(handled, () => projectHandled(handled, signal));
      if (unknown === undefined) return;
      // Passing it would leave the projection wrong after the upgrade.
      const error = unknownEventError(unknown, { dependency: 'stream', processes: 'the projectors' });
      noteError(error.message);
      throw error;
    },
    retry: (event, { attempts }, signal) =>
      traced([event], async () => {
        const failure = await attempt([event], signal, attempts);
        if (failure) await addLetter(event, { ...failure, attempts: attempts + 1 });
      }),
  };
}

type Failure = { readonly event: RecordedEvent; readonly error: unknown };

/** Whether the projected event shows that its store takes writes: nothing is written for an erased one. */
function isProof({ data }: RecordedEvent): boolean {
  return data !== null;
}

function newestVersions(events: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { subject, version } of events) newest.set(subject, Math.max(version, newest.get(subject) ?? 0));
  return newest;
}

/** Separates the events that this release knows from the first one that only a newer release knows. */
function knownEvents(events: readonly RecordedEvent[]): {
  /** The events before the unknown one. */
  readonly known: readonly RecordedEvent[];
  readonly unknown: RecordedEvent | undefined;
} {
  const at = events.findIndex((event) => !isKnownEvent(event));
  return at === -1 ? { known: events, unknown: undefined } : { known: events.slice(0, at), unknown: events[at] };
}
