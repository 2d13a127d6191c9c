/** One subscription of a consumer group: a loop that takes the group's next batch, is woken by every append, and can be paused. */
import type { JournalReader } from '../../journal/journal.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import type { EventSubscription, Subscription } from '../stream.js';
import type { Checkpoints } from './checkpoints.js';
import type { ConsumerGroup } from './create-consumer-group.js';

const FAILED_MINIMUM_MS = 100;
const FAILED_MAXIMUM_MS = 10_000;
/** A closing subscription lets its running batch finish; after this the handler's signal asks it to give up. */
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
  const giveUp = new AbortController();

  const loop = createLoop({
    step: async () => (isPaused ? 'idle' : group.handleNext(batchSize, (events) => handle(events, giveUp.signal))),
    onFailure: (error, waitMs) =>
      logger.warn({ error, waitMs, position: group.position() }, 'A batch of events failed and comes again'),
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
    position: () => checkpoints.durable(name),
    settled: async () => {
      const head = await journal.head();
      loop.wake();
      await group.reached(head, stop.signal);
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
      const grace = setTimeout(() => giveUp.abort(stop.signal.reason), CLOSE_GRACE_MS);
      await running;
      clearTimeout(grace);
      await checkpoints.flush();
    },
  };
}
