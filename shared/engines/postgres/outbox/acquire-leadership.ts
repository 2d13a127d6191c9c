/** Waits until this process leads among the relays, and increases the epoch. */
import { withAnySignal } from '../../../kernel/concurrency/abort-signals.js';
import type { Pace } from '../../../kernel/concurrency/backoff.js';
import { createLoop } from '../../../kernel/concurrency/loop.js';
import type { Logger } from '../../../kernel/logger.js';
import { palimpsestCommand } from '../../../kernel/palimpsest-command.js';
import { type HeldLock, holdLock } from '../connection/hold-lock.js';
import { type Postgres, statement } from '../connection/postgres.js';
import { journalMigrations } from '../schema/journal.js';

/** The lock number differs from the lock numbers of migrations and of `append_events`. */
const ACQUIRE = 'SELECT pg_try_advisory_lock(1885436016, 3) AS held';
const NEXT_EPOCH = statement(
  journalMigrations,
  'next_epoch',
  'UPDATE relay_epoch SET epoch = epoch + 1 RETURNING epoch',
);
/**
 * Polling is better than waiting inside Postgres, because a waiting statement would prevent the vacuum of dead rows.
 */
const PACE: Pace = { idleMinimumMs: 100, idleMaximumMs: 1_000, failedMinimumMs: 200, failedMaximumMs: 5_000 };

export type HeldLeadership = { readonly held: HeldLock; readonly epoch: number };

/** Rejects when the signal aborts first. */
export async function acquireLeadership(
  {
    postgres,
    logger,
    leaseMs,
  }: {
    readonly postgres: Postgres;
    readonly logger: Logger;
    readonly leaseMs: number;
  },
  signal: AbortSignal,
): Promise<HeldLeadership> {
  const won = new AbortController();
  const leads: HeldLeadership[] = [];
  const asking = createLoop({
    pace: PACE,
    onFailure: (error, waitMs) => logger.warn({ err: error, waitMs }, 'acquiring the relay leadership failed'),
    step: async () => {
      const held = await holdLock(postgres, { acquire: ACQUIRE, params: [], leaseMs });
      if (!held) return 'idle';
      leads.push({ held, epoch: await nextEpoch(held) });
      won.abort();
      return 'partial';
    },
  });
  await withAnySignal([signal, won.signal], asking.run);
  const [lead] = leads;
  if (!lead || signal.aborted) {
    await lead?.held.release();
    throw signal.reason;
  }
  return lead;
}

async function nextEpoch(held: HeldLock): Promise<number> {
  try {
    const {
      rows: [row],
    } = await held.session.query<{ epoch: number }>(NEXT_EPOCH);
    if (!row) throw new Error(`relay_epoch has no row: run ${palimpsestCommand('migrate')}`);
    return row.epoch;
  } catch (error) {
    await held.release();
    throw error;
  }
}
