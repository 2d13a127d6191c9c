/**
 * Records when memories were last recalled. It collects the ids that recalls report and writes them in groups, each
 * with the time of the latest recall in the group. Lossy by design: no caller waits for it.
 */
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { ACCESS_RECORDER } from '../../shared/contract/projector-names.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import { createSerialQueue } from '../../shared/kernel/concurrency/serial-queue.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { EventSource } from '../../shared/ports/stream.js';

/** How often the times of the latest recalls are written to `last_accessed`. */
const FLUSH_MS = 1_000;
/** Ids in one call of `recordAccess`. */
const ACCESS_LIMIT = 500;
/** Ids that can wait for the next write; further ids are dropped. */
const WAITING_LIMIT = 10_000;

/** Sets `last_accessed = max(old, at)` on the memories that exist. */
export type RecordAccess = (ids: readonly MemoryId[], at: Timestamp) => Promise<void>;

export type AccessRecorder = {
  /** Writes the waiting ids. */
  readonly settled: () => Promise<void>;
  /** Stops listening, then writes the waiting ids once; ids whose write fails are lost. */
  readonly close: () => Promise<void>;
};

export async function createAccessRecorder({
  source,
  recordAccess,
  logger,
  flushMs = FLUSH_MS,
  waitingLimit = WAITING_LIMIT,
}: {
  readonly source: EventSource;
  readonly recordAccess: RecordAccess;
  readonly logger: Logger;
  readonly flushMs?: number;
  readonly waitingLimit?: number;
}): Promise<AccessRecorder> {
  const waiting = new Map<MemoryId, Timestamp>();
  const serialQueue = createSerialQueue();
  const flushNext = (): Promise<void> => serialQueue(flush);

  function recordRecall(id: MemoryId, at: Timestamp): void {
    const known = waiting.get(id);
    if (known === undefined && waiting.size >= waitingLimit) return;
    if (known === undefined || at > known) waiting.set(id, at);
  }

  /** An id that is recalled again during the call stays for the next call. */
  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const group = [...waiting].slice(0, ACCESS_LIMIT);
      const latest = group.reduce((max, [, at]) => (at > max ? at : max), '');
      await recordAccess(
        group.map(([id]) => id),
        latest,
      );
      for (const [id, at] of group) if (waiting.get(id) === at) waiting.delete(id);
    }
  }

  const subscription = await source.listen(ACCESS_RECORDER, async (activities) => {
    for (const activity of activities) {
      if (activity.kind === 'recalled') for (const id of activity.ids) recordRecall(id as MemoryId, activity.at); // recalled ids are memory ids
    }
  });
  const stop = new AbortController();
  const loop = createLoop({
    step: async () => {
      await flushNext();
      return 'idle';
    },
    onFailure: (error, waitMs) =>
      logger.warn({ err: error, waitMs, waiting: waiting.size }, 'writing access times failed'),
    pace: { idleMinimumMs: flushMs, idleMaximumMs: flushMs, failedMinimumMs: flushMs, failedMaximumMs: 30_000 },
  });
  const running = loop.run(stop.signal);

  return {
    settled: async () => {
      await subscription.settled();
      await flushNext();
    },
    close: async () => {
      await subscription.close();
      stop.abort();
      await running;
      await flushNext().catch((error: unknown) =>
        logger.warn({ err: error, waiting: waiting.size }, 'access times lost at shutdown'),
      );
    },
  };
}
