/**
 * Counts the requests of one key with a rate, in one process. Windows have a fixed length, and each begins with its
 * first request. The row of the key has the count of all processes: each adds what it has served and reads the sum. So
 * N processes exceed the rate together by at most what arrives between two reads. Without the database a process limits
 * by its own count.
 */
import type { KeyQuota } from '../contract/maintenance/keys.js';
import type { Key } from '../ports/keys.js';

export type RateWindow = {
  /** Counts a request, unless the window has `limit` requests. */
  readonly take: (limit: number) => KeyQuota;
  /** The requests that the database does not have. */
  readonly unreported: () => number;
  /**
   * Calls `read` with the number of requests that it must add, 0 while an earlier call goes on, and counts on from the
   * window of the key that it returns. A late answer counts too; requests of a failed call are in the next one.
   */
  readonly report: (read: (requests: number) => Promise<Key | null>) => Promise<Key | null>;
};

/** `key`: as it was just read. `now`: milliseconds of a monotonic clock. */
export function createRateWindow(
  key: Key,
  { windowMs, now = () => performance.now() }: { readonly windowMs: number; readonly now?: () => number },
): RateWindow {
  /** `counted`: in the database, by all processes. `own`: of this process, not reported yet. */
  let current = { endsAt: -Infinity, counted: 0, own: 0 };
  let isReporting = false;
  const hasEnded = (): boolean => now() >= current.endsAt;

  function adopt(window: Key['window'] | undefined): void {
    if (!window || window.ageMs < 0 || window.ageMs >= windowMs) return;
    if (hasEnded()) current = { endsAt: 0, counted: 0, own: 0 };
    current.counted = window.requests;
    current.endsAt = now() + windowMs - window.ageMs;
  }
  adopt(key.window);

  return {
    take: (limit) => {
      if (hasEnded()) current = { endsAt: now() + windowMs, counted: 0, own: 0 };
      const used = current.counted + current.own;
      const isExceeded = used >= limit;
      if (!isExceeded) current.own += 1;
      const remaining = Math.max(0, limit - used - 1);
      return { limit, windowMs, remaining, resetMs: current.endsAt - now(), isExceeded };
    },
    unreported: () => (hasEnded() ? 0 : current.own),
    report: async (read) => {
      const reported = current;
      const requests = isReporting || hasEnded() ? 0 : reported.own;
      isReporting ||= requests > 0;
      try {
        const found = await read(requests);
        reported.own -= requests;
        adopt(found?.window);
        return found;
      } finally {
        if (requests > 0) isReporting = false;
      }
    },
  };
}
