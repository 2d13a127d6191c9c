/**
 * Runs one projector over the events: passes on what it handles, finds the event that can never be projected, and tells how it is
 * getting on. What may succeed later is left to the source, which waits and delivers again.
 */
import { formatTimestamp, type Clock } from '../shared/kernel/clock.js';
import type { RecordedEvent } from '../shared/contract/events.js';
import type {
  DeadLetter,
  DeadLetters,
  JournalReader,
  ProjectorState,
  ProjectorStates,
} from '../shared/journal/journal.js';
import { PalimpsestError } from '../shared/kernel/errors.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { EventSource } from '../shared/stream/stream.js';
import { createRate, type Rate } from './create-rate.js';
import { keepState, type StateKeeper } from './keep-state.js';
import { PoisonedEventsError } from './poisoned-events-error.js';
import type { Projector } from './projector.js';
import { steerProjector } from './steer-projector.js';

/** Enough to fill several embedding calls, and few enough that a late event does not wait long behind a bulk. */
export const BATCH_EVENTS = 128;
/** A sign of life at least this often. */
export const STATE_SAVE_MS = 5_000;
const REASON_LIMIT_CHARACTERS = 500;
/** Once in its batch, once alone. */
const ATTEMPTS = 2;

export type RunningProjector = {
  readonly status: () => ProjectorState;
  /** Resolves when everything that was in the stream at the time of the call has been projected. */
  readonly settled: () => Promise<void>;
  /** Finishes the batch in hand and saves its state. */
  readonly close: () => Promise<void>;
};

type Dependencies = {
  readonly projector: Projector;
  readonly source: EventSource;
  /** Where the events of dead letters still are. */
  readonly journal: Pick<JournalReader, 'read'>;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly logger: Logger;
  readonly clock: Clock;
  /** Names this process among those that run the same projector. */
  readonly instance: string;
  readonly batchSize?: number;
  readonly stateSaveMs?: number;
};

export async function runProjector({
  projector,
  source,
  states,
  clock,
  instance,
  ...rest
}: Dependencies): Promise<RunningProjector> {
  const logger = rest.logger.child({ projector: projector.name });
  const progress: Progress = { handled: 0, failed: 0, lastError: null, lastErrorAt: null };
  const rate = createRate(() => performance.now());
  const { project, retry } = createHandler({ projector, deadLetters: rest.deadLetters, logger, clock, progress, rate });
  const signOfLifeMs = rest.stateSaveMs ?? STATE_SAVE_MS;
  let isPaused = false;
  let isStopped = false;
  let keeper: StateKeeper | undefined;

  const handle = async (events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> => {
    await project(events, signal);
    keeper?.soon();
  };
  const subscription = await source.subscribe({
    group: projector.name,
    batchSize: rest.batchSize ?? BATCH_EVENTS,
    handle,
  });
  const status = (): ProjectorState => ({
    ...progress,
    name: projector.name,
    instance,
    position: subscription.position(),
    paused: isPaused,
    stopped: isStopped,
    heartbeatAt: formatTimestamp(clock.now()),
    ...(projector.detail && { detail: projector.detail() }),
    ratePerSecond: rate.perSecond(),
    takeoverMs: signOfLifeMs + source.takeoverMs, // it may have gone on until the next sign of life was due
  });
  // Before anybody can ask, and once more at the end.
  const sayNow = (): Promise<void> =>
    states.save(status()).catch((error: unknown) => {
      logger.warn(
        { error },
        'The state of the projector could not be saved: for some seconds it counts as what it was',
      );
    });
  await sayNow();
  const kept = keepState({ status, states, signOfLifeMs, logger });
  keeper = kept;
  const turn = (paused: boolean): void => {
    if (paused === isPaused) return;
    isPaused = paused;
    if (paused) subscription.pause();
    else subscription.resume();
    kept.soon();
  };
  const steering = steerProjector({ ...rest, name: projector.name, states, turn, retry, logger });

  return {
    status,
    settled: async () => {
      await subscription.settled();
      await states.save(status());
    },
    close: async () => {
      await steering.stop();
      await subscription.close();
      await kept.stop();
      isStopped = true;
      await sayNow();
    },
  };
}

type Progress = { -readonly [K in 'handled' | 'failed' | 'lastError' | 'lastErrorAt']: ProjectorState[K] };

function createHandler({
  projector,
  deadLetters,
  logger,
  clock,
  progress,
  rate,
}: Pick<Dependencies, 'projector' | 'deadLetters' | 'logger' | 'clock'> & {
  readonly progress: Progress;
  readonly rate: Rate;
}): {
  readonly project: (events: readonly RecordedEvent[], signal: AbortSignal) => Promise<void>;
  readonly retry: (event: RecordedEvent, letter: DeadLetter, signal: AbortSignal) => Promise<void>;
} {
  async function project(events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> {
    await projector.project(events, signal);
    await settleLetters(events);
    progress.handled += events.length;
    rate.add(events.length);
  }

  /** An event may come again after it was set aside; then it is for those who look after dead letters to have it tried. */
  async function withoutSetAside(events: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> {
    const newest = newestVersions(events);
    const setAside = await deadLetters.find(
      projector.name,
      [...newest].map(([subject, version]) => ({ subject, version })),
    );
    return setAside.size === 0 ? events : events.filter(({ subject }) => !setAside.has(subject));
  }

  async function settleLetters(events: readonly RecordedEvent[]): Promise<void> {
    const newest = newestVersions(events);
    const subjects = await deadLetters.find(
      projector.name,
      [...newest.keys()].map((subject) => ({ subject, version: 0 })),
    );
    for (const subject of subjects)
      await deadLetters.resolve({ projector: projector.name, subject, version: newest.get(subject) ?? 0 });
  }

  /** Null when all is settled, the problem when it never will be; what may succeed later is rethrown. `earlier` attempts count as well. */
  async function attempt(
    events: readonly RecordedEvent[],
    signal: AbortSignal,
    earlier = 0,
  ): Promise<{ readonly problem: string } | null> {
    try {
      await project(events, signal);
      return null;
    } catch (error) {
      if (error instanceof PoisonedEventsError) return setPoisonAside(events, error, earlier);
      const problem = noteError(error instanceof Error ? error.message : String(error));
      if (signal.aborted || (error instanceof PalimpsestError && error.isRetryable)) throw error;
      logger.warn({ error: error, events: events.length }, 'Events could not be projected');
      return { problem };
    }
  }

  /** The projector has done the rest. */
  async function setPoisonAside(
    events: readonly RecordedEvent[],
    { poisoned, message }: PoisonedEventsError,
    earlier: number,
  ): Promise<null> {
    noteError(message);
    const failures = new Map(poisoned.map((failure) => [failure.eventId, failure]));
    for (const event of events) {
      const failure = failures.get(event.id);
      if (failure)
        await setAside(event, {
          attempts: earlier + failure.attempts,
          reason: failure.reason.slice(0, REASON_LIMIT_CHARACTERS),
        });
    }
    const done = events.filter(({ id }) => !failures.has(id));
    await settleLetters(done);
    progress.handled += done.length;
    rate.add(done.length);
    return null;
  }

  function noteError(message: string): string {
    progress.lastError = message.slice(0, REASON_LIMIT_CHARACTERS);
    progress.lastErrorAt = formatTimestamp(clock.now());
    return progress.lastError;
  }

  async function setAside(
    { id, subject, type, version, position }: RecordedEvent,
    { reason, attempts }: Pick<DeadLetter, 'reason' | 'attempts'>,
  ): Promise<void> {
    const letter = { projector: projector.name, eventId: id, subject, type, version, position, reason, attempts };
    await deadLetters.add({ ...letter, at: formatTimestamp(clock.now()) });
    await deadLetters.resolve({ projector: projector.name, subject, version: version - 1 }); // this one says all that they said
    progress.failed += 1;
    logger.error({ eventId: id, subject, version, reason }, 'An event went to the dead letters');
  }

  return {
    project: async (events, signal) => {
      const handled = events.filter(({ type }) => projector.handles.includes(type));
      const due = handled.length === 0 ? handled : await withoutSetAside(handled);
      if (due.length === 0 || (await attempt(due, signal)) === null) return;
      for (const event of due) {
        const failure = await attempt([event], signal);
        if (failure) await setAside(event, { reason: failure.problem, attempts: ATTEMPTS });
      }
    },
    retry: async (event, { attempts }, signal) => {
      const failure = await attempt([event], signal, attempts);
      if (failure) await setAside(event, { reason: failure.problem, attempts: attempts + 1 });
    },
  };
}

function newestVersions(events: readonly RecordedEvent[]): ReadonlyMap<string, number> {
  const newest = new Map<string, number>();
  for (const { subject, version } of events) newest.set(subject, Math.max(version, newest.get(subject) ?? 0));
  return newest;
}
