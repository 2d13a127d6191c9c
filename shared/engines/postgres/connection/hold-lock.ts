/**
 * An advisory lock as a lease: its holder is alive and may act. The lock belongs to a separate session, which the
 * server ends when the process ends, is disconnected, or is paused for longer than the lease. Without the lease, a
 * paused process would keep the lock forever.
 */
import { createLoop } from '../../../kernel/concurrency/loop.js';
import type { Postgres, Session } from './postgres.js';

export type LockRequest = {
  /** The statement that takes an advisory lock of the session and returns one row with `held`. */
  readonly acquire: string;
  readonly params: readonly unknown[];
  readonly leaseMs: number;
};

export interface HeldLock {
  /** The session of the lock; a statement on it runs under the lock or fails. */
  readonly session: Session;
  /** Aborted when the lock is lost or released. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** Heartbeats that the session sends in the time of one lease. */
const HEARTBEATS_PER_LEASE = 4;

/** Null when another process holds the lock. */
export async function holdLock(
  postgres: Postgres,
  { acquire, params, leaseMs }: LockRequest,
): Promise<HeldLock | null> {
  const session = await postgres.session();
  try {
    await session.query(`SET idle_session_timeout = ${Math.ceil(leaseMs)}`);
    const {
      rows: [answer],
    } = await session.query<{ held: boolean }>(acquire, params);
    if (answer?.held === true) return keepAlive(session, leaseMs);
  } catch (error) {
    await session.close();
    throw error;
  }
  await session.close();
  return null;
}

function keepAlive(session: Session, leaseMs: number): HeldLock {
  const heartbeatMs = leaseMs / HEARTBEATS_PER_LEASE;
  const heartbeats = createLoop({
    step: async () => {
      await session.query('SELECT 1');
      return 'idle';
    },
    // A failed heartbeat loses the session, which ends this loop.
    onFailure: () => undefined,
    pace: {
      idleMinimumMs: heartbeatMs,
      idleMaximumMs: heartbeatMs,
      failedMinimumMs: heartbeatMs,
      failedMaximumMs: heartbeatMs,
    },
  });
  const running = heartbeats.run(session.lost);
  return {
    session,
    lost: session.lost,
    release: async () => {
      await session.close();
      await running;
    },
  };
}
