/**
 * One consumer group following the journal: read behind the checkpoint, handle, move the checkpoint, again. A batch that fails stays
 * where it is and comes again, so nothing is ever passed over.
 */
import type { JournalReader } from '../../journal/journal.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import type { SqliteHost } from '../../sqlite/host.js';
import type { EventSubscription, Subscription } from '../stream.js';
import { loadCheckpoint, saveCheckpoint } from './checkpoints.js';

const FAILED_MINIMUM_MS = 100;
const FAILED_MAXIMUM_MS = 10_000;

export type JournalFollower = Subscription & { readonly wake: () => void };

type Options = {
  readonly host: SqliteHost;
  readonly journal: Pick<JournalReader, 'read' | 'head'>;
  readonly subscription: EventSubscription;
  readonly pollMs: number;
  readonly logger: Logger;
};

export async function followJournal({ host, journal, subscription, pollMs, logger }: Options): Promise<JournalFollower> {
  const { group, batchSize, handle } = subscription;
  let position = await host.read(loadCheckpoint, group);
  let isPaused = false;
  let waiting: { readonly position: number; readonly resolve: () => void }[] = [];
  const stop = new AbortController();

  async function step(signal: AbortSignal): Promise<'full' | 'idle'> {
    if (isPaused) return 'idle';
    const events = await journal.read({ after: position, limit: batchSize });
    const last = events.at(-1);
    if (last === undefined) {
      release();
      return 'idle';
    }
    await handle(events, signal);
    await host.write(saveCheckpoint, { group, position: last.position });
    position = last.position;
    release();
    return 'full';
  }

  function release(): void {
    for (const waiter of waiting) if (waiter.position <= position) waiter.resolve();
    waiting = waiting.filter((waiter) => waiter.position > position);
  }

  const loop = createLoop({
    step,
    onFailure: (error, waitMs) => logger.warn({ error: error, waitMs, position }, 'A batch of events failed and comes again'),
    pace: { idleMinimumMs: pollMs, idleMaximumMs: pollMs, failedMinimumMs: FAILED_MINIMUM_MS, failedMaximumMs: FAILED_MAXIMUM_MS },
  });
  const running = loop.run(stop.signal);

  return {
    wake: () => loop.wake(),
    position: () => position,
    settled: async () => {
      const head = await journal.head();
      if (position >= head || stop.signal.aborted) return;
      await new Promise<void>((resolve) => {
        waiting.push({ position: head, resolve });
        loop.wake();
      });
    },
    pause: () => {
      isPaused = true;
    },
    resume: () => {
      isPaused = false;
      loop.wake();
    },
    close: async () => {
      stop.abort();
      await running;
      for (const waiter of waiting.splice(0)) waiter.resolve();
    },
  };
}
