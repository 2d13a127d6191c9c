/**
 * Lets long work of one tenant give way to the callers of the others. Where these are active, the work goes on in small
 * steps: one begins while none of their requests is open, and at the latest after LONGEST_MS, so that it always
 * advances. The steps of all tenants share this queue, because the processor cores are shared, too.
 */

/** Others count as active for this time after their last request. */
export const ACTIVE_MS = 1_000;
/** A request counts as open for at most this time: a longer one waits for something else. */
export const OPEN_MS = 1_000;
/** Between the beginnings of two steps, in which a request can arrive and go first. */
export const STEP_MS = 25;
/** The longest time between the beginnings of two steps. */
export const LONGEST_MS = 150;

export type GiveWay = {
  /** Whether callers of others are active, so that the work goes on in small steps. */
  readonly isNeeded: () => boolean;
  /** Resolves when the next step may begin: at once where `isNeeded` is false, or when the signal is aborted. */
  readonly turn: (signal?: AbortSignal) => Promise<void>;
};

/** For a process that cannot know its callers. */
export const NEVER_GIVES_WAY: GiveWay = { isNeeded: () => false, turn: () => Promise.resolve() };

export type Callers = {
  /** Counts a request of this tenant until the returned function is called. */
  readonly begin: (tenant: string) => () => void;
  /** For the work of this tenant. */
  readonly giveWayOf: (tenant: string) => GiveWay;
};

type Timing = {
  /** A monotonic clock in ms. */
  readonly now: () => number;
  /** Returns the function that cancels the call. */
  readonly later: (call: () => void, ms: number) => () => void;
};

const SYSTEM_TIMING: Timing = {
  now: () => performance.now(),
  later: (call, ms) => {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

type Waiting = { readonly tenant: string; readonly since: number; readonly begin: () => void };

export function createCallers({ now, later }: Timing = SYSTEM_TIMING): Callers {
  const tenants = new Map<string, { open: number; activeAt: number }>();
  const waiting: Waiting[] = [];
  let begunAt = -Infinity;
  let cancel = (): void => undefined;

  function isActive({ open, activeAt }: { readonly open: number; readonly activeAt: number }): boolean {
    return open > 0 || now() - activeAt < ACTIVE_MS;
  }

  function hasOther(tenant: string, is: typeof isActive): boolean {
    for (const [name, requests] of tenants) if (name !== tenant && is(requests)) return true;
    return false;
  }

  const isNeeded = (tenant: string): boolean => hasOther(tenant, isActive);

  function waitMs({ tenant, since }: Waiting): number {
    if (!isNeeded(tenant)) return 0;
    const isOpen = hasOther(tenant, ({ open }) => open > 0);
    return (isOpen ? Math.max(since, begunAt) + LONGEST_MS : begunAt + STEP_MS) - now();
  }

  function beginNext(): void {
    cancel();
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      const ms = waitMs(next);
      if (ms > 0) {
        cancel = later(beginNext, ms);
        return;
      }
      begunAt = now();
      waiting.shift();
      next.begin();
    }
  }

  function turn(tenant: string, signal: AbortSignal | undefined): Promise<void> {
    if (!isNeeded(tenant) || signal?.aborted === true) return Promise.resolve();
    return new Promise((resolve) => {
      const begin = (): void => {
        signal?.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        waiting.splice(waiting.indexOf(step), 1);
        begin();
      };
      const step = { tenant, since: now(), begin };
      signal?.addEventListener('abort', leave, { once: true });
      waiting.push(step);
      if (waiting.length === 1) beginNext();
    });
  }

  return {
    begin: (tenant) => {
      for (const [name, requests] of tenants) if (!isActive(requests)) tenants.delete(name);
      const requests = tenants.get(tenant) ?? { open: 0, activeAt: 0 };
      tenants.set(tenant, requests);
      requests.open += 1;
      let isEnded = false;
      const end = (): void => {
        if (isEnded) return;
        isEnded = true;
        cancelEnd();
        requests.open -= 1;
        requests.activeAt = now();
        beginNext();
      };
      const cancelEnd = later(end, OPEN_MS);
      return end;
    },
    giveWayOf: (tenant) => ({ isNeeded: () => isNeeded(tenant), turn: (signal) => turn(tenant, signal) }),
  };
}
