/**
 * The background work of a command API: keeps the liveness lock, reports answered and abandoned commands, probes a
 * graph that was down, rolls pending events of other processes forward, retries failed ones, redrives dead letters of
 * the commit, and starts the purger of expired rows.
 */
import { createLoop } from '../../../kernel/concurrency/loop.js';
import type { Logger } from '../../../kernel/logger.js';
import { type HeldLock, holdLock } from '../connection/hold-lock.js';
import type { Postgres } from '../connection/postgres.js';
import type { PendingBound } from '../outbox/pending-bound.js';
import { postgresRecords } from '../records/postgres-records.js';
import type { AnswerLedger } from './answer-ledger.js';
import type { CommitConfig } from './commit-variables.js';
import type { GraphGuard } from './graph-guard.js';
import { claimOverdue } from './pending-rows.js';
import { createPurger } from './purger.js';
import { redriveOne, retryOne, rollClaimed } from './retry-failed.js';

/** Events that one step rolls forward; each may have 900 KB. */
const BATCH_SIZE = 100;
const FAILED_WAIT_MS = { failedMinimumMs: 100, failedMaximumMs: 2_000 };

export type SweeperDeps = {
  readonly postgres: Postgres;
  readonly pendingBound: PendingBound;
  readonly guard: GraphGuard;
  readonly ledger: AnswerLedger;
  readonly owner: string;
  readonly logger: Logger;
  readonly config: CommitConfig;
};

export interface Sweeper {
  /** Resolves once the first sweep has taken the liveness lock or failed to take it. */
  readonly ready: Promise<void>;
  /** Events that were waiting for the graph at the last sweep; counted up to COMMIT_PENDING_LIMIT. */
  pending(): number;
  /** Finishes the running step, reports what is still unreported, and releases the liveness lock. */
  close(): Promise<void>;
}

export function createSweeper({ postgres, pendingBound, guard, ledger, owner, logger, config }: SweeperDeps): Sweeper {
  const liveness = createLiveness({ postgres, owner, aliveMs: config.aliveMs });
  const work = { postgres, guard, config, logger };
  const { deadLetters: letters } = postgresRecords(postgres);
  const closing = new AbortController();
  let pending = 0;

  const loop = createLoop({
    pace: { idleMinimumMs: config.sweepMs, idleMaximumMs: config.sweepMs, ...FAILED_WAIT_MS },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'pending-commit sweep failed'),
    step: async () => {
      await renewLiveness().finally(markReady);
      pending = await pendingBound.query({ countLimit: config.pendingLimit });
      await guard.probe();
      const claim = { owner, leaseMs: config.leaseMs, limit: BATCH_SIZE, after: pendingBound.after() };
      const overdue = await claimOverdue(postgres, claim);
      if (overdue.length > 0) logger.info({ events: overdue.length }, 'rolling overdue pending events forward');
      await rollClaimed(work, overdue);
      // One event in each step: an attempt may take as long as a transaction of the graph.
      const hasRetried = await retryOne(work, { owner, leaseMs: config.leaseMs });
      const hasRedriven = await redriveOne(work, letters);
      // A graph that refuses gets one trial in each sweep.
      const goesOn = overdue.length === BATCH_SIZE || hasRetried || hasRedriven;
      return goesOn && !guard.isRefusing() ? 'full' : 'idle';
    },
  });
  let markReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const running = loop.run(closing.signal);
  const purger = createPurger({ postgres, logger });

  /** Flushes the ledger first: a process that counts as alive must have reported its abandoned commands. */
  async function renewLiveness(): Promise<void> {
    await ledger.flush();
    await liveness.ensure();
  }

  return {
    ready,
    pending: () => pending,
    close: async () => {
      closing.abort();
      await Promise.all([running, purger.close()]);
      await ledger.flush().catch((err: unknown) => logger.warn({ err }, 'final report of answered commands failed'));
      await liveness.release();
    },
  };
}

/**
 * The same key as in `owner_is_gone`. Waits for processes that are testing the lock, which takes as long as their
 * statement.
 */
const ACQUIRE = 'SELECT true AS held FROM pg_advisory_lock(hashtextextended($1, 0))';

interface Liveness {
  /** Takes the lock unless this process holds it. */
  ensure(): Promise<void>;
  release(): Promise<void>;
}

/**
 * The advisory lock that shows other command APIs that this process is alive and will answer its commands; taken again
 * after a loss.
 */
function createLiveness({
  postgres,
  owner,
  aliveMs,
}: {
  readonly postgres: Postgres;
  readonly owner: string;
  readonly aliveMs: number;
}): Liveness {
  let held: HeldLock | null = null;
  return {
    ensure: async () => {
      if (held && !held.lost.aborted) return;
      await held?.release();
      held = await holdLock(postgres, { acquire: ACQUIRE, params: [owner], leaseMs: aliveMs });
    },
    release: async () => held?.release(),
  };
}
