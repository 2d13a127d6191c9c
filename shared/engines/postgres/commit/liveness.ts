/** The advisory lock that shows other command APIs that this process is alive and will answer its commands; taken again after a loss. */
import { type HeldLock, holdLock } from '../connection/hold-lock.js';
import type { Postgres } from '../connection/postgres.js';

/** The same key as in `owner_is_gone`. Waits for processes that are testing the lock, which takes as long as their statement. */
const ACQUIRE = 'SELECT true AS held FROM pg_advisory_lock(hashtextextended($1, 0))';

export interface Liveness {
  /** Takes the lock unless this process holds it. */
  ensure(): Promise<void>;
  release(): Promise<void>;
}

export function createLiveness({
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
