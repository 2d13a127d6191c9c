/** Lets one process at a time rebuild the graph. */
import { type HeldLock, holdLock } from '../../postgres/hold-lock.js';
import type { Postgres } from '../../postgres/postgres.js';

/** The lock number differs from those of migrations, of `append_events` and of the relay. */
const ACQUIRE = 'SELECT pg_try_advisory_lock(1885436016, 4) AS held';
/** How long a process may hang before another one takes over. Two processes at the same time would only do the work twice. */
const LEASE_MS = 30_000;

/** Null while another process holds the lock. */
export function holdRebuildLock(postgres: Postgres): Promise<HeldLock | null> {
  return holdLock(postgres, { acquire: ACQUIRE, params: [], leaseMs: LEASE_MS });
}
