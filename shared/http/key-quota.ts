/** What a caller whose key has a rate may still send. */
import type { Caller } from './auth.js';
import { type EdgeContext, EdgeError } from './edge-state.js';

/**
 * Sets the fields of draft-ietf-httpapi-ratelimit-headers-10 on the response of a caller whose key has a rate. Throws
 * an EdgeError with status 429 when the request is beyond the rate.
 */
export function requireQuota({ name, quota }: Caller, context: EdgeContext): void {
  if (quota === undefined) return;
  const { limit, windowMs, remaining, resetMs, isExceeded } = quota;
  const [windowSeconds, resetSeconds] = [windowMs, resetMs].map((ms) => Math.max(1, Math.ceil(ms / 1_000)));
  context.set({
    'ratelimit-policy': `"key";q=${limit};w=${windowSeconds}`,
    ratelimit: `"key";r=${remaining};t=${resetSeconds}`,
  });
  if (!isExceeded) return;
  const text = `The key '${name}' may send ${limit} requests per minute: send the next one in ${resetSeconds} s`;
  throw new EdgeError(429, text, { 'retry-after': String(resetSeconds) });
}
