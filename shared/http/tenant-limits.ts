/**
 * The limits of a tenant, at the edge of one process: requests and writes in windows of a minute, and memories and
 * bytes as they were counted within the last seconds. Each process counts the requests that it serves itself.
 */
import { TENANT_WINDOW_MS, TENANTS_LIMIT } from '../contract/limits.js';
import type { Operation } from '../contract/operation.js';
import type { OperationName } from '../contract/operations.js';
import { RuleError } from '../kernel/errors.js';
import { type EdgeContext, EdgeError } from './edge-state.js';
import type { ServedTenant } from './tenancy.js';

/** Throws EdgeError 429 beyond a rate, and RuleError for a request that adds memories to a full tenant. */
export type RequireTenantLimits = (
  served: ServedTenant,
  request: { readonly name: OperationName; readonly operation: Operation; readonly context: EdgeContext },
) => Promise<void>;

type Usage = { readonly memories: number; readonly bytes: number };
type Counted = { endsAt: number; requests: number; writes: number; usage: Promise<Usage | null>; usageAt: number };

const ADDING: ReadonlySet<OperationName> = new Set(['storeMemory', 'storeBatch', 'importRecords']);
const USAGE_MS = 2_000;

/** `now`: milliseconds of a monotonic clock. */
export function createTenantLimits(now = (): number => performance.now()): RequireTenantLimits {
  const counted = new Map<string, Counted>();

  function countedOf(id: string): Counted {
    const before = counted.get(id);
    const count = before ?? { endsAt: 0, requests: 0, writes: 0, usage: Promise.resolve(null), usageAt: -Infinity };
    if (counted.size > TENANTS_LIMIT) counted.clear(); // of deleted tenants, too: a window begins again
    if (now() >= count.endsAt) Object.assign(count, { endsAt: now() + TENANT_WINDOW_MS, requests: 0, writes: 0 });
    counted.set(id, count);
    return count;
  }

  /** Throws when `used` has the limit already; says in the header what is left. */
  function requireRate(
    used: number,
    { limit, what, endsAt, context }: Readonly<{ limit: number; what: string; endsAt: number; context: EdgeContext }>,
  ): void {
    const resetSeconds = Math.max(1, Math.ceil((endsAt - now()) / 1_000));
    addToList(context, 'ratelimit-policy', `"tenant-${what}";q=${limit};w=${TENANT_WINDOW_MS / 1_000}`);
    addToList(context, 'ratelimit', `"tenant-${what}";r=${Math.max(0, limit - used - 1)};t=${resetSeconds}`);
    if (used < limit) return;
    const text = `The tenant may send ${limit} ${what} per minute: send the next one in ${resetSeconds} s`;
    throw new EdgeError(429, text, { 'retry-after': String(resetSeconds) });
  }

  return async ({ tenant: { id, limits }, service }, { name, operation, context }) => {
    const { requestsPerMinute, writesPerMinute, memories, bytes } = limits;
    const count = countedOf(id);
    const { endsAt } = count;
    if (requestsPerMinute !== null)
      requireRate(count.requests, { limit: requestsPerMinute, what: 'requests', endsAt, context });
    if (writesPerMinute !== null && operation.repeatable)
      requireRate(count.writes, { limit: writesPerMinute, what: 'writes', endsAt, context });
    count.requests += 1;
    if (operation.repeatable) count.writes += 1;
    if ((memories === null && bytes === null) || !ADDING.has(name) || service.usage === undefined) return;
    if (now() - count.usageAt >= USAGE_MS) Object.assign(count, { usage: service.usage(), usageAt: now() });
    const usage = await count.usage;
    if (usage === null) return;
    if (memories !== null && usage.memories >= memories)
      throw new RuleError(`The tenant has ${usage.memories} memories, and its limit is ${memories}: delete some first`);
    if (bytes !== null && usage.bytes >= bytes)
      throw new RuleError(`The tenant has ${usage.bytes} bytes, and its limit is ${bytes}: ask for a higher one`);
  };
}

function addToList(context: EdgeContext, name: string, item: string): void {
  const before = context.res.getHeader(name);
  context.set(name, before === undefined ? item : `${String(before)}, ${item}`);
}
