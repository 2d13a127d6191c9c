/**
 * An advisory lock that says "this process lives and may act": held by a session of its own, which the server ends when the process ends,
 * is cut off, or stands still for longer than the lease. A lock without the last would outlive a paused process for ever.
 */
import { createLoop } from '../kernel/loop.js';
import type { Postgres, Session } from './postgres.js';

export type LockRequest = {
  /** Takes a session's advisory lock and answers one row with `held`. */
  readonly acquire: string;
  readonly params: readonly unknown[];
  readonly leaseMs: number;
};

export interface HeldLock {
  /** Its session; a statement that runs on it runs under the lock or not at all. */
  readonly session: Session;
  /** Aborted when the lock is lost or released. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

/** How often in one lease the session gives a sign of life. */
const SIGNS_IN_A_LEASE = 4;

/** Null when somebody else holds the lock. */
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
  const restMs = leaseMs / SIGNS_IN_A_LEASE;
  const signs = createLoop({
    step: async () => {
      await session.query('SELECT 1');
      return 'idle';
    },
    // A sign that fails costs the session, and so ends this loop.
    onFailure: () => undefined,
    pace: { idleMinimumMs: restMs, idleMaximumMs: restMs, failedMinimumMs: restMs, failedMaximumMs: restMs },
  });
  const signing = signs.run(session.lost);
  return {
    session,
    lost: session.lost,
    release: async () => {
      await session.close();
      await signing;
    },
  };
}
