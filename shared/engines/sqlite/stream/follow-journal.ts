/**
 * One subscription of a consumer group: a loop that handles the group's next batch, is woken by every append, and can
 * be paused.
 */
import { createLoop } from '../../../kernel/concurrency/loop.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { JournalReader } from '../../../ports/journal.js';
import type { EventSubscription, Subscription } from '../../../ports/stream.js';
import type { Checkpoints } from './checkpoints.js';
import type { ConsumerGroup } from './consumer-group.js';

const FAILED_MINIMUM_MS = 100;
const FAILED_MAXIMUM_MS = 10_000;
/**
 * A closing subscription lets its running batch finish; after this time the handler's signal asks the batch to stop.
 */
export const CLOSE_GRACE_MS = 5_000;

export type JournalFollower = Subscription & { readonly wake: () => void };

type Options = {
  readonly group: ConsumerGroup;
  readonly journal: Pick<JournalReader, 'head'>;
  readonly checkpoints: Checkpoints;
  readonly subscription: EventSubscription;
  readonly pollMs: number;
  readonly logger: Logger;
};

export function followJournal({ group, journal, checkpoints, subscription, pollMs, logger }: Options): JournalFollower {
  const { group: name, batchSize, handle } = subscription;
  let isPaused = false;
  const stop = new AbortController();
  const handlerAbort = new AbortController();

  const loop = createLoop({
    step: async () =>
      isPaused ? 'idle' : group.handleNext(batchSize, (events) => handle(events, handlerAbort.signal)),
    onFailure: (err, waitMs) =>
      logger.warn({ err, waitMs, position: group.position() }, 'batch of events failed and is retried'),
    pace: {
      idleMinimumMs: pollMs,
      idleMaximumMs: pollMs,
      failedMinimumMs: FAILED_MINIMUM_MS,
      failedMaximumMs: FAILED_MAXIMUM_MS,
    },
  });
  const running = loop.run(stop.signal);

  return {
    wake: () => loop.wake(),
    position: () => checkpoints.savedPosition(name),
    settled: async () => {
      const head = await journal.head();
      loop.wake();
      await group.waitForPosition(head, stop.signal);
      await checkpoints.flush();
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      loop.wake();
    },
    close: async () => {
      stop.abort(new DependencyError('stream', `The subscription of ${name} was closed before it had caught up`));
      const grace = setTimeout(() => handlerAbort.abort(stop.signal.reason), CLOSE_GRACE_MS);
      await running;
      clearTimeout(grace);
      await checkpoints.flush();
    },
  };
}
