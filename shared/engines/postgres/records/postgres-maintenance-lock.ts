/** The locks of maintenance as advisory locks of Postgres. */
import type { MaintenanceLock, MaintenanceTask } from '../../../ports/maintenance-lock.js';
import { holdLock } from '../connection/hold-lock.js';
import type { Postgres } from '../connection/postgres.js';

/**
 * They differ from the numbers of migrations (1), of `append_events` (2) and of the relay (3). A released number never
 * changes.
 */
const NUMBERS: Readonly<Record<MaintenanceTask, number>> = {
  'rebuild-graph': 4,
  sync: 5,
  'drift-repairer': 6,
  job: 7,
  consolidator: 8,
  'cache-cleaner': 9,
  'webhook-sender': 10,
};
const ACQUIRE = 'SELECT pg_try_advisory_lock(1885436016, $1) AS held';
/** A paused process loses its lock after this time. */
const LEASE_MS = 30_000;

export function createPostgresMaintenanceLock({ postgres }: { readonly postgres: Postgres }): MaintenanceLock {
  return { take: (task) => holdLock(postgres, { acquire: ACQUIRE, params: [NUMBERS[task]], leaseMs: LEASE_MS }) };
}
