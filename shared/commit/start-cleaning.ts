/**
 * Finishes deletions of memories with many associations in the background: each step removes one batch, so that no transaction is long. What a
 * crash left is continued after the start.
 */
import { createLoop } from '../kernel/concurrency/loop.js';
import type { Logger } from '../kernel/logger.js';

const PACE = { idleMinimumMs: 1_000, idleMaximumMs: 5_000, failedMinimumMs: 1_000, failedMaximumMs: 30_000 };

export type CleaningSteps = {
  /** `clearHub` of the graph. */
  readonly graph: () => Promise<boolean>;
  /** `eraseRest` of the journal. */
  readonly journal: () => Promise<boolean>;
};

/** One loop for each step, so that one engine that is down does not stop the other. Each step returns false when nothing is left. */
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
      step: async () => ((await step()) ? 'full' : 'idle'),
    }).run(closing.signal),
  );
  return {
    close: async () => {
      closing.abort();
      await Promise.all(running);
    },
  };
}
