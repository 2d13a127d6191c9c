/** Step 5, for several groups at once: their events are pending no longer. */
import { createGatherer, type GatherLimits } from '../../kernel/gather.js';
import type { Logger } from '../../kernel/logger.js';
import type { Queryable } from '../../postgres/postgres.js';
import { finishPending } from './pending-rows.js';

/** In events. */
const LIMITS: GatherLimits = {
  group: { count: 1_000, bytes: Infinity },
  smallCount: Infinity,
  queue: { count: 20_000, bytes: Infinity },
};

/** Never rejects: the graph shows these events, so a failure to say so is not their caller's. A sweeper will. */
export type Finisher = (positions: readonly number[]) => Promise<void>;

export function createFinisher({
  postgres,
  logger,
}: {
  readonly postgres: Queryable;
  readonly logger: Logger;
}): Finisher {
  const gatherer = createGatherer<readonly number[], void>({
    weigh: ({ length }) => ({ count: length, bytes: 0 }),
    run: async (groups) => {
      await finishPending(postgres, groups.flat());
      return groups.map(() => undefined);
    },
    limits: LIMITS,
  });
  return async (positions) => {
    try {
      for (const fate of await gatherer.submit([positions])) if (fate.status === 'rejected') throw fate.reason;
    } catch (error) {
      logger.warn({ error, events: positions.length }, 'events that the graph shows stay pending for now');
    }
  };
}
