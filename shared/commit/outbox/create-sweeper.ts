/**
 * What a command API does beside its commands: shows that it lives, passes on who has an answer, asks a graph that was down whether it is
 * up, rolls forward what others left pending, and removes what is past its life.
 */
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createLoop } from '../../kernel/loop.js';
import type { Postgres } from '../../postgres/postgres.js';
import type { CommitConfig } from './commit-variables.js';
import type { AnswerLedger } from './create-answer-ledger.js';
import type { GraphGuard } from './create-graph-guard.js';
import { createLiveness } from './create-liveness.js';
import { purgeOld } from './earlier-requests.js';
import { claimOverdue, countPending, releasePending } from './pending-rows.js';
import { rollForward } from './roll-forward.js';

/** Events that one step rolls forward; each may have 900 KB. */
const BATCH_SIZE = 100;
const PURGE_EVERY_MS = 60_000;
const FAILED_WAIT_MS = { failedMinimumMs: 100, failedMaximumMs: 2_000 };

export type SweeperDeps = {
  readonly postgres: Postgres;
  readonly guard: GraphGuard;
  readonly ledger: AnswerLedger;
  readonly owner: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly config: CommitConfig;
};

export interface Sweeper {
  /** Resolves when this process is known to live, or that cannot be said just now. */
  readonly ready: Promise<void>;
  /** Events that waited for the graph when it last looked. */
  pending(): number;
  /** Ends the running step, tells what is left to tell, and says that this process is gone. */
  close(): Promise<void>;
}

export function createSweeper({ postgres, guard, ledger, owner, clock, logger, config }: SweeperDeps): Sweeper {
  const liveness = createLiveness({ postgres, owner, aliveMs: config.aliveMs });
  const closing = new AbortController();
  let pending = 0;
  let purgedAtMs = -Infinity;

  const loop = createLoop({
    pace: { idleMinimumMs: config.sweepMs, idleMaximumMs: config.sweepMs, ...FAILED_WAIT_MS },
    onFailure: (error, waitMs) => logger.warn({ error, waitMs }, 'committed events cannot be looked after'),
    step: async () => {
      await showLife().finally(beReady);
      pending = await countPending(postgres);
      await purge();
      await guard.probe();
      const overdue = await claimOverdue(postgres, { owner, leaseMs: config.leaseMs, limit: BATCH_SIZE });
      if (overdue.length > 0)
        logger.info({ events: overdue.length }, 'events that were left pending are rolled forward');
      await rollForward({ postgres, guard }, overdue).catch(async (error: unknown) => {
        // Not kept for a lease: whoever meets the graph first when it is up again may have them.
        await releasePending(
          postgres,
          overdue.map(({ position }) => position),
        );
        throw error;
      });
      return overdue.length === BATCH_SIZE ? 'full' : 'idle';
    },
  });
  let beReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    beReady = resolve;
  });
  const running = loop.run(closing.signal);

  /** The ledger first, so that nobody takes this process for alive while others do not know yet what it gave up. */
  async function showLife(): Promise<void> {
    await ledger.flush();
    await liveness.keep();
  }

  async function purge(): Promise<void> {
    if (performance.now() - purgedAtMs < PURGE_EVERY_MS) return;
    await purgeOld(postgres, clock.now());
    purgedAtMs = performance.now();
  }

  return {
    ready,
    pending: () => pending,
    close: async () => {
      closing.abort();
      await running;
      await ledger
        .flush()
        .catch((error: unknown) => logger.warn({ error }, 'who has an answer could not be passed on'));
      await liveness.release();
    },
  };
}
