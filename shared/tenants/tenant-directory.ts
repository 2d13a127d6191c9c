/** The tenants as a process knows them: a copy of the stored list, which is read again after a change. */
import { createLoop } from '../kernel/concurrency/loop.js';
import { shareRuns } from '../kernel/concurrency/share-runs.js';
import type { Logger } from '../kernel/logger.js';
import type { Tenant, Tenants } from '../ports/tenants.js';

export type TenantDirectory = {
  /** Null: there is none, or it is being deleted. Reads the list for an id that is not known. */
  readonly find: (id: string) => Promise<Tenant | null>;
  /** As `find`, by its name. */
  readonly named: (name: string) => Promise<Tenant | null>;
  readonly list: () => readonly Tenant[];
  /** Reads the list if it has changed. Shared by callers of one moment. */
  readonly refresh: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A suspended or deleted tenant is refused by every process after at most this time and a read. */
const POLL_MS = 500;

export function createTenantDirectory({
  records,
  logger,
  pollMs = POLL_MS,
}: {
  readonly records: Pick<Tenants, 'list' | 'stamp'>;
  readonly logger: Logger;
  /** Null: this process alone changes the list, and calls `refresh`. */
  readonly pollMs?: number | null | undefined;
}): TenantDirectory {
  let stamp = '';
  let known: ReadonlyMap<string, Tenant> = new Map();
  const closing = new AbortController();

  const refresh = shareRuns(async () => {
    const now = await records.stamp();
    if (now === stamp) return;
    known = new Map((await records.list()).map((tenant) => [tenant.id, tenant]));
    stamp = now;
  });
  const pace = { idleMinimumMs: pollMs ?? 0, idleMaximumMs: pollMs ?? 0, failedMinimumMs: 500, failedMaximumMs: 5_000 };
  const loop = createLoop({
    step: async () => {
      await refresh();
      return 'idle';
    },
    onFailure: (err, waitMs) => logger.debug({ err, waitMs }, 'the list of tenants could not be read'),
    pace,
  });
  const running = pollMs === null ? Promise.resolve() : loop.run(closing.signal);

  const byId = (id: string): Tenant | undefined => known.get(id);
  const byName = (name: string): Tenant | undefined => [...known.values()].find((tenant) => tenant.name === name);

  const isServed = (tenant: Tenant | undefined): tenant is Tenant =>
    tenant !== undefined && tenant.state !== 'deleting';

  /** Another process may have made the tenant since the last read. Requests of one moment share a read. */
  async function findBy(look: (text: string) => Tenant | undefined, text: string): Promise<Tenant | null> {
    if (!isServed(look(text))) await refresh();
    const tenant = look(text);
    return isServed(tenant) ? tenant : null;
  }

  return {
    find: (id) => findBy(byId, id),
    named: (name) => findBy(byName, name),
    list: () => [...known.values()],
    refresh,
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
