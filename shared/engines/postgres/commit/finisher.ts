/** Step 5 of the commit protocol: removes the pending rows of applied events, batched over several groups. */
import { type BatchLimits, createBatcher } from '../../../kernel/concurrency/batch-calls.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Queryable } from '../connection/postgres.js';
import { finishPending } from './pending-rows.js';

/** In events. */
const LIMITS: BatchLimits = {
  group: { count: 1_000, bytes: Infinity },
  smallCount: Infinity,
  queue: { count: 20_000, bytes: Infinity },
};

/** Never rejects: the graph already has these events. After a failure a sweeper removes the rows. */
export type Finisher = (positions: readonly number[]) => Promise<void>;

export function createFinisher({
  postgres,
  logger,
}: {
  readonly postgres: Queryable;
  readonly logger: Logger;
}): Finisher {
  const batcher = createBatcher<readonly number[], void>({
    weigh: ({ length }) => ({ count: length, bytes: 0 }),
    run: async (groups) => {
      await finishPending(postgres, groups.flat());
      return groups.map(() => undefined);
    },
    limits: LIMITS,
  });
  return async (positions) => {
    try {
      for (const result of await batcher.submit([positions])) if (result.status === 'rejected') throw result.reason;
    } catch (error) {
      logger.warn({ err: error, events: positions.length }, 'applied events stay pending until the next sweep');
    }
  };
}
