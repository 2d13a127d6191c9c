/** Finishes deletions of memories with many associations, also after a crash, in batches: no transaction is long. */
import { setTimeout as pause } from 'node:timers/promises';
import { createLoop } from '../shared/kernel/concurrency/loop.js';
import type { Logger } from '../shared/kernel/logger.js';

const PACE = { idleMinimumMs: 1_000, idleMaximumMs: 5_000, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

export type CleaningSteps = {
  /** `clearHub` of the graph. */
  readonly graph: () => Promise<boolean>;
  /** `eraseRest` of the journal. */
  readonly journal: () => Promise<boolean>;
};

/**
 * One loop for each step, so that one engine that is down does not stop the other. Each step returns false when nothing
 * is left. After a batch it pauses as long as the batch took, so that callers have the engine for half of the time.
 */
export function startCleaning({ graph, journal, logger }: CleaningSteps & { readonly logger: Logger }): {
  /** Waits for the running batches. */
  readonly close: () => Promise<void>;
} {
  const closing = new AbortController();
  const running = Object.entries({ graph, journal }).map(([place, step]) =>
    createLoop({
      pace: PACE,
      onFailure: (err, waitMs) =>
        logger.warn({ err, place, waitMs }, 'removing associations of deleted memories failed'),
      step: async (signal) => {
        const startedAt = performance.now();
        if (!(await step())) return 'idle';
        await pause(performance.now() - startedAt, undefined, { signal }).catch(() => undefined /* closing */);
        return 'full';
      },
    }).run(closing.signal),
  );
  return {
    close: async () => {
      closing.abort();
      await Promise.all(running);
    },
  };
}
