/** The lock by which other command APIs know that this process lives and has answers on the way; taken again when it was lost. */
import { holdLock, type HeldLock } from '../../postgres/hold-lock.js';
import type { Postgres } from '../../postgres/postgres.js';

/** The same key as in `owner_is_gone`. Waits for whoever is just asking, which takes no longer than their statement. */
const ACQUIRE = 'SELECT true AS held FROM pg_advisory_lock(hashtextextended($1, 0))';

export interface Liveness {
  /** Takes the lock where it is not held. */
  keep(): Promise<void>;
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
    keep: async () => {
      if (held && !held.lost.aborted) return;
      await held?.release();
      held = await holdLock(postgres, { acquire: ACQUIRE, params: [owner], leaseMs: aliveMs });
    },
    release: async () => held?.release(),
  };
}
