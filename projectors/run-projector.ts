/** Runs one projector: subscribes it to the events, saves its state, and handles pause, resume and redrive requests. */
import type { RecordedEvent } from '../shared/contract/events.js';
import type { Clock } from '../shared/kernel/clock.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { DeadLetters, JournalReader, NewProjectorState, ProjectorStates } from '../shared/ports/journal.js';
import type { EventSource } from '../shared/ports/stream.js';
import { createEventHandler, type Progress } from './event-handler.js';
import type { Projector } from './projector.js';
import { controlProjector } from './projector-control.js';
import { createRate } from './rate.js';
import { createStateSaver, type StateSaver } from './state-saver.js';

/**
 * Large enough to fill several embedding calls; small enough that a late event does not wait long behind a bulk write.
 */
export const BATCH_EVENTS = 128;
/** Longest time between two heartbeats. */
export const STATE_SAVE_MS = 5_000;

export type RunningProjector = {
  readonly status: () => NewProjectorState;
  /** Resolves when every event that was in the stream at the time of the call has been projected. */
  readonly settled: () => Promise<void>;
  /** Finishes the current batch and saves the state. */
  readonly close: () => Promise<void>;
};

export async function runProjector({
  projector,
  source,
  states,
  clock,
  instance,
  ...rest
}: {
  readonly projector: Projector;
  readonly source: EventSource;
  /** Holds the events of the dead letters. */
  readonly journal: Pick<JournalReader, 'read'>;
  readonly deadLetters: DeadLetters;
  readonly states: ProjectorStates;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The name of this process among the processes that run the same projector. */
  readonly instance: string;
  readonly batchSize?: number;
  readonly stateSaveMs?: number;
}): Promise<RunningProjector> {
  const logger = rest.logger.child({ projector: projector.name });
  const progress: Progress = { handled: 0, failed: 0, lastError: null, lastErrorAt: null };
  const rate = createRate(() => performance.now());
  const { project, retry } = createEventHandler({
    projector,
    deadLetters: rest.deadLetters,
    logger,
    clock,
    progress,
    rate,
  });
  const heartbeatMs = rest.stateSaveMs ?? STATE_SAVE_MS;
  let isPaused = false;
  let isStopped = false;
  let saver: StateSaver | undefined;

  const handle = async (events: readonly RecordedEvent[], signal: AbortSignal): Promise<void> => {
    await project(events, signal);
    saver?.saveSoon();
  };
  const subscription = await source.subscribe({
    group: projector.name,
    batchSize: rest.batchSize ?? BATCH_EVENTS,
    handle,
  });
  const status = (): NewProjectorState => ({
    ...progress,
    name: projector.name,
    instance,
    position: subscription.position(),
    paused: isPaused,
    stopped: isStopped,
    ...(projector.detail && { detail: projector.detail() }),
    ratePerSecond: rate.perSecond(),
    takeoverMs: heartbeatMs + source.takeoverMs, // the process may have run until just before its next heartbeat
  });
  const saveNow = (): Promise<void> =>
    states.save(status()).catch((error: unknown) => {
      // readers see the state saved before for a few seconds more
      logger.warn({ err: error }, 'projector state could not be saved');
    });
  await saveNow(); // before the first status request can read it
  const stateSaver = createStateSaver({ status, states, heartbeatMs, logger });
  saver = stateSaver;
  const setPaused = (paused: boolean): void => {
    if (paused === isPaused) return;
    isPaused = paused;
    if (paused) subscription.pause();
    else subscription.resume();
    stateSaver.saveSoon();
  };
  const control = controlProjector({ ...rest, name: projector.name, states, setPaused, retry, logger });

  return {
    status,
    settled: async () => {
      await subscription.settled();
      await states.save(status());
    },
    close: async () => {
      await control.stop();
      await subscription.close();
      await stateSaver.stop();
      isStopped = true;
      await saveNow();
    },
  };
}
