/** The tenants of one process: the list, and the service of each tenant that is in use. */
import { createLoop } from '../kernel/concurrency/loop.js';
import { UnauthenticatedError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { Tenant, Tenants } from '../ports/tenants.js';
import { createTenantDirectory, type TenantDirectory } from './tenant-directory.js';
import { createTenantPool, type PooledService, type PoolLimits, type TenantLease } from './tenant-pool.js';

export type TenantAccess<S> = {
  readonly directory: TenantDirectory;
  /** Null: no tenant has this id. Throws DeadlineError while too many tenants are open. */
  readonly open: (id: string) => Promise<(TenantLease<S> & { readonly tenant: Tenant }) | null>;
  readonly named: (name: string) => Promise<Tenant | null>;
  /** The service while it is open. */
  readonly opened: (id: string) => S | null;
  /** Waits for its requests, then closes the service of a tenant that gets no more requests. */
  readonly end: (id: string) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** A process notes the use of a tenant at most as often. */
const NOTE_MS = 20_000;
/** A process without requests keeps a tenant open for this long after its last noted use. */
const USED_MS = 60_000;
const FOLLOW_MS = 500;

export function openTenantAccess<S extends PooledService>({
  records,
  open,
  limits,
  role,
  logger,
}: {
  readonly records: Tenants;
  readonly open: (tenant: Tenant) => Promise<S>;
  readonly limits: PoolLimits;
  /**
   * `alone`: the one process of the deployment. `requests`: opens tenants for requests, and notes it. `work`: has no
   * requests, and opens tenants that are in use elsewhere.
   */
  readonly role: 'alone' | 'requests' | 'work';
  readonly logger: Logger;
}): TenantAccess<S> {
  const directory = createTenantDirectory({ records, logger, pollMs: role === 'alone' ? null : undefined });
  const notedAt = new Map<string, number>();
  const isAlone = role === 'alone';
  const pool = createTenantPool<S>({
    list: () => (role === 'requests' ? [] : directory.list()),
    open: async (tenant) => {
      // Deleted while it waited for a place: opening it would make its data again.
      if ((await directory.find(tenant.id)) === null) throw new UnauthenticatedError('Unauthorized');
      return open(tenant);
    },
    onOpened: async ({ id }) => {
      if (isAlone) await records.setSettled(id, false);
    },
    onClosed: async ({ id }, { isSettled, usage }) => {
      if (usage !== null) await records.saveUsage(id, usage);
      if (isAlone) await records.setSettled(id, isSettled);
    },
    isVisitDueAtStart: ({ isSettled }) => !isAlone || !isSettled,
    limits,
    logger,
  });

  /** A lost note costs the work of the tenant a delay until its next visit. */
  function noteUse(id: string): void {
    if (role !== 'requests' || performance.now() - (notedAt.get(id) ?? -Infinity) < NOTE_MS) return;
    notedAt.set(id, performance.now());
    records.noteUse(id).catch((err: unknown) => {
      notedAt.delete(id);
      logger.warn({ err }, 'the use of a tenant could not be noted');
    });
  }

  const closing = new AbortController();
  const following = createLoop({
    step: async () => {
      const used = await records.usedWithin(USED_MS);
      // A tenant that cannot be opened does not keep the others waiting.
      const outcomes = await Promise.allSettled(
        used.map(async (id) => {
          const tenant = await directory.find(id);
          if (tenant?.state === 'active') (await pool.lease(tenant)).release();
        }),
      );
      const failed = outcomes.find((outcome) => outcome.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return 'idle';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'a tenant in use could not be opened'),
    pace: { idleMinimumMs: FOLLOW_MS, idleMaximumMs: FOLLOW_MS, failedMinimumMs: FOLLOW_MS, failedMaximumMs: 5_000 },
  });
  /** Closes what other processes have deleted. */
  const ending = createLoop({
    step: async () => {
      for (const { id, state } of directory.list()) if (state === 'deleting') await pool.end(id);
      return 'idle';
    },
    onFailure: (err) => logger.warn({ err }, 'the service of a deleted tenant could not be closed'),
    pace: { idleMinimumMs: FOLLOW_MS, idleMaximumMs: FOLLOW_MS, failedMinimumMs: FOLLOW_MS, failedMaximumMs: 5_000 },
  });
  const loops = [...(role === 'work' ? [following] : []), ...(isAlone ? [] : [ending])];
  const running = loops.map((loop) => loop.run(closing.signal));

  return {
    directory,
    open: async (id) => {
      const tenant = await directory.find(id);
      if (tenant === null) return null;
      noteUse(id);
      return { ...(await pool.lease(tenant)), tenant };
    },
    named: directory.named,
    opened: pool.opened,
    end: async (id) => {
      notedAt.delete(id);
      await pool.end(id);
    },
    close: async () => {
      closing.abort();
      await Promise.all(running);
      await directory.close();
      await pool.close();
    },
  };
}
