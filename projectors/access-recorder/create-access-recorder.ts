/**
 * Notes when memories were last recalled. Recalls tell in passing and nobody waits for it: ids are gathered, and written together
 * every so often with the time of the latest recall among them. Lossy by design.
 */
import type { MemoryId, Timestamp } from '../../shared/contract/memory.js';
import { ACCESS_RECORDER } from '../../shared/contract/projector-names.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { createLoop } from '../../shared/kernel/loop.js';
import type { EventSource } from '../../shared/stream/stream.js';

export const ACCESS_FLUSH_MS = 1_000;
/** Ids in one call of `touch`. */
const TOUCH_LIMIT = 500;
/** Ids that may wait; what is recalled beyond it is not noted. */
const WAITING_LIMIT = 10_000;

/** `last_accessed = max(old, at)` for those present. */
export type Touch = (ids: readonly MemoryId[], at: Timestamp) => Promise<void>;

export type AccessRecorder = {
  /** Writes what waits. */
  readonly settled: () => Promise<void>;
  /** Listens no more, then writes what waits; what cannot be written now is lost. */
  readonly close: () => Promise<void>;
};

export async function createAccessRecorder({
  source,
  touch,
  logger,
  flushMs = ACCESS_FLUSH_MS,
  waitingLimit = WAITING_LIMIT,
}: {
  readonly source: EventSource;
  readonly touch: Touch;
  readonly logger: Logger;
  readonly flushMs?: number;
  readonly waitingLimit?: number;
}): Promise<AccessRecorder> {
  const waiting = new Map<MemoryId, Timestamp>();
  let flushing = Promise.resolve();

  function note(id: MemoryId, at: Timestamp): void {
    const known = waiting.get(id);
    if (known === undefined && waiting.size >= waitingLimit) return;
    if (known === undefined || at > known) waiting.set(id, at);
  }

  /** Ids that are noted again during the call stay for the next one. */
  async function flush(): Promise<void> {
    while (waiting.size > 0) {
      const group = [...waiting].slice(0, TOUCH_LIMIT);
      const latest = group.reduce((max, [, at]) => (at > max ? at : max), '');
      await touch(
        group.map(([id]) => id),
        latest,
      );
      for (const [id, at] of group) if (waiting.get(id) === at) waiting.delete(id);
    }
  }

  function flushInTurn(): Promise<void> {
    const turn = flushing.then(flush);
    flushing = turn.catch(() => undefined); // who asked for this turn hears of it
    return turn;
  }

  const subscription = await source.listen(ACCESS_RECORDER, async (activities) => {
    for (const activity of activities) {
      if (activity.kind === 'recalled') for (const id of activity.ids) note(id as MemoryId, activity.at); // recalled ids are memory ids
    }
  });
  const stop = new AbortController();
  const loop = createLoop({
    step: async () => {
      await flushInTurn();
      return 'idle';
    },
    onFailure: (error, waitMs) =>
      logger.warn(
        { error, waitMs, waiting: waiting.size },
        'The time of recalls could not be noted; it is tried again',
      ),
    pace: { idleMinimumMs: flushMs, idleMaximumMs: flushMs, failedMinimumMs: flushMs, failedMaximumMs: 30_000 },
  });
  const running = loop.run(stop.signal);

  return {
    settled: async () => {
      await subscription.settled();
      await flushInTurn();
    },
    close: async () => {
      await subscription.close();
      stop.abort();
      await running;
      await flushInTurn().catch((error: unknown) =>
        logger.warn({ error, waiting: waiting.size }, 'The time of the last recalls could not be noted, and is lost'),
      );
    },
  };
}
