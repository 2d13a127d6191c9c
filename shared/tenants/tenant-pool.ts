/**
 * Keeps the services of tenants open while they are used: opens one at its first request, and closes it when no request
 * has come for a while and its background work is done. A process serves many tenants with a bounded number of open
 * ones. The least recently used one closes early when another needs its place.
 */
import pLimit from 'p-limit';
import { createLoop } from '../kernel/concurrency/loop.js';
import { DeadlineError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { Tenant, TenantUsage } from '../ports/tenants.js';

/** The service of one tenant, as far as the pool needs it. */
export type PooledService = {
  /** Whether no event, job or delivery waits. */
  readonly isQuiet: () => Promise<boolean>;
  /** Null: this process does not count it. */
  readonly usage: () => Promise<TenantUsage | null>;
  readonly close: () => Promise<void>;
};

export type TenantLease<S> = {
  readonly service: S;
  /** The caller no longer uses the service. A second call does nothing. */
  readonly release: () => void;
};

export type TenantPool<S> = {
  /** Opens the service, and keeps it open until the release. Throws DeadlineError when all places are in use. */
  readonly lease: (tenant: Tenant) => Promise<TenantLease<S>>;
  /** The service while it is open. */
  readonly opened: (id: string) => S | null;
  /** Waits for its requests, then closes the service of a tenant that gets no more requests. */
  readonly end: (id: string) => Promise<void>;
  /** Closes all services. */
  readonly close: () => Promise<void>;
};

export type PoolLimits = {
  /** Services that are open at the same time. */
  readonly openLimit: number;
  /** A service closes after this long without a request. */
  readonly idleMs: number;
  /** A tenant without requests is opened as often for its scheduled work. */
  readonly visitEveryMs: number;
};

export const POOL_LIMITS = { idleMs: 5 * 60_000, visitEveryMs: 6 * 60 * 60_000 } as const;

const OPENINGS = 2;
const CLOSINGS = 4;
/** The requests of a tenant that is deleted have this long to end. */
const END_MS = 5_000;
const END_POLL_MS = 20;
/** Visits leave the other part of the places to callers. */
const VISITED_PART = 0.5;
/** A tenant that closed before its work was done is visited again after this long. */
const UNSETTLED_VISIT_MS = 60_000;
const VISIT_PACE = { idleMinimumMs: 1_000, idleMaximumMs: 30_000, failedMinimumMs: 1_000, failedMaximumMs: 60_000 };

type Entry<S> = {
  readonly tenant: Tenant;
  readonly opening: Promise<S>;
  service: S | null;
  leases: number;
  usedAt: number;
  timer: NodeJS.Timeout | null;
  closing: Promise<void> | null;
};

export function createTenantPool<S extends PooledService>({
  list,
  open,
  onOpened,
  onClosed,
  isVisitDueAtStart,
  limits,
  logger,
}: {
  /** All tenants, for visits. */
  readonly list: () => readonly Tenant[];
  readonly open: (tenant: Tenant) => Promise<S>;
  /** Before the first use of an opened service. */
  readonly onOpened: (tenant: Tenant) => Promise<void>;
  /** `isSettled`: no work waits. `usage`: null when it was not counted. */
  readonly onClosed: (
    tenant: Tenant,
    closed: { readonly isSettled: boolean; readonly usage: TenantUsage | null },
  ) => Promise<void>;
  /** Whether a tenant that was not open since the start of the process is opened for work that waits. */
  readonly isVisitDueAtStart: (tenant: Tenant) => boolean;
  readonly limits: PoolLimits;
  readonly logger: Logger;
}): TenantPool<S> {
  const entries = new Map<string, Entry<S>>();
  const visitedAt = new Map<string, number>();
  /** Closed with work that waits. */
  const unsettled = new Set<string>();
  const openings = pLimit(OPENINGS);
  const stopping = new AbortController();

  async function lease(tenant: Tenant): Promise<TenantLease<S>> {
    for (;;) {
      const entry = entries.get(tenant.id) ?? (await begin(tenant));
      if (entry.closing !== null) {
        await entry.closing;
        continue;
      }
      entry.leases += 1;
      try {
        const service = await entry.opening;
        let isReleased = false;
        return {
          service,
          release: () => {
            if (isReleased) return;
            isReleased = true;
            release(entry);
          },
        };
      } catch (error) {
        entry.leases -= 1;
        throw error;
      }
    }
  }

  /** Two requests that wait for a place may both come here: the second one uses the entry of the first. */
  async function begin(tenant: Tenant): Promise<Entry<S>> {
    while (entries.size >= limits.openLimit) await makeRoom();
    const present = entries.get(tenant.id);
    if (present !== undefined) return present;
    if (stopping.signal.aborted) throw new DeadlineError('The service is stopping');
    const opening = openings(async () => {
      await onOpened(tenant);
      return open(tenant);
    });
    const entry: Entry<S> = {
      tenant,
      opening,
      service: null,
      leases: 0,
      usedAt: performance.now(),
      timer: null,
      closing: null,
    };
    entries.set(tenant.id, entry);
    visitedAt.set(tenant.id, performance.now());
    opening.then(
      (service) => {
        entry.service = service;
        if (entry.leases === 0) closeLater(entry);
      },
      () => forget(entry),
    );
    return entry;
  }

  async function makeRoom(): Promise<void> {
    const unused = [...entries.values()].filter(({ leases, service }) => leases === 0 && service !== null);
    const [oldest] = unused.sort((one, other) => one.usedAt - other.usedAt);
    if (oldest === undefined)
      throw new DeadlineError(
        `${limits.openLimit} tenants are in use, as many as may be open at the same time: try again in a moment, or raise TENANTS_OPEN_LIMIT`,
      );
    await (oldest.closing ?? close(oldest));
  }

  function release(entry: Entry<S>): void {
    entry.leases -= 1;
    entry.usedAt = performance.now();
    if (entry.leases === 0) closeLater(entry);
  }

  function closeLater(entry: Entry<S>): void {
    if (entry.timer !== null) clearTimeout(entry.timer);
    entry.timer = setTimeout(() => void closeIfIdle(entry), limits.idleMs).unref();
  }

  async function closeIfIdle(entry: Entry<S>): Promise<void> {
    const { service, tenant } = entry;
    if (entry.leases > 0 || entry.closing !== null || service === null) return;
    const isQuiet = await readIsQuiet(tenant, service);
    if (entry.leases > 0 || entry.closing !== null) return;
    if (isQuiet) await close(entry);
    else closeLater(entry);
  }

  /** Never rejects. */
  function close(entry: Entry<S>): Promise<void> {
    entry.closing ??= closeNow(entry);
    return entry.closing;
  }

  async function closeNow(entry: Entry<S>): Promise<void> {
    const { tenant, service, timer } = entry;
    if (timer !== null) clearTimeout(timer);
    try {
      if (service === null) return;
      const usage = await service.usage().catch((err: unknown) => {
        logger.warn({ err, tenant: tenant.name }, 'the data of a tenant could not be counted');
        return null;
      });
      const isSettled = await readIsQuiet(tenant, service);
      if (isSettled) unsettled.delete(tenant.id);
      else unsettled.add(tenant.id);
      await service.close();
      await onClosed(tenant, { usage, isSettled });
    } catch (err) {
      logger.warn({ err, tenant: tenant.name }, 'the service of a tenant could not be closed in order');
    } finally {
      forget(entry);
    }
  }

  /** False also when it cannot be read. */
  async function readIsQuiet(tenant: Tenant, service: S): Promise<boolean> {
    try {
      return await service.isQuiet();
    } catch (err) {
      logger.warn({ err, tenant: tenant.name }, 'the work of a tenant could not be read: it counts as unfinished');
      return false;
    }
  }

  function forget(entry: Entry<S>): void {
    if (entries.get(entry.tenant.id) === entry) entries.delete(entry.tenant.id);
  }

  /** Tenants with unfinished work come first, then those that were not opened for long. */
  function nextVisit(): Tenant | undefined {
    const now = performance.now();
    const hasWork = (tenant: Tenant): boolean => {
      const at = visitedAt.get(tenant.id);
      if (at === undefined) return isVisitDueAtStart(tenant);
      return unsettled.has(tenant.id) && now - at >= Math.min(UNSETTLED_VISIT_MS, limits.visitEveryMs);
    };
    const isDue = ({ id }: Tenant): boolean => now - (visitedAt.get(id) ?? startedAt) >= limits.visitEveryMs;
    const waiting = list().filter(({ id, state }) => state === 'active' && !entries.has(id));
    return waiting.find(hasWork) ?? waiting.find(isDue);
  }

  const startedAt = performance.now();
  const visits = createLoop({
    step: async () => {
      const tenant = entries.size < limits.openLimit * VISITED_PART ? nextVisit() : undefined;
      if (tenant === undefined) return 'idle';
      visitedAt.set(tenant.id, performance.now());
      (await lease(tenant)).release();
      return 'full';
    },
    onFailure: (err, waitMs) => logger.warn({ err, waitMs }, 'a tenant could not be opened for its scheduled work'),
    pace: VISIT_PACE,
  });
  const visiting = visits.run(stopping.signal);

  return {
    lease,
    opened: (id) => entries.get(id)?.service ?? null,
    end: async (id) => {
      const entry = entries.get(id);
      if (entry === undefined) return;
      await entry.opening.catch(() => undefined);
      const until = performance.now() + END_MS;
      while (entry.leases > 0 && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, END_POLL_MS));
      await close(entry);
      visitedAt.delete(id);
      unsettled.delete(id);
    },
    close: async () => {
      stopping.abort();
      await visiting;
      const closing = pLimit(CLOSINGS);
      await Promise.all(
        [...entries.values()].map((entry) =>
          closing(async () => {
            await entry.opening.catch(() => undefined);
            await close(entry);
          }),
        ),
      );
    },
  };
}
