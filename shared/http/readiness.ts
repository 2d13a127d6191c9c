/** The readiness check of a process: each server that it needs must answer now. */
import { withinDeadline } from '../kernel/concurrency/within-deadline.js';

/** Orchestrators send a probe every few seconds and wait a few seconds for it. */
const PROBE_TIMEOUT_MS = 2_000;

/** `pings`: by name of the server. Rejects with the first failure; otherwise resolves with `connected` for each name. */
export async function pingAll(
  pings: Readonly<Record<string, () => Promise<void>>>,
): Promise<Readonly<Record<string, string>>> {
  const checks = Object.entries(pings).map(async ([name, ping]) => {
    await withinDeadline(ping(), { milliseconds: PROBE_TIMEOUT_MS, name: `The ${name}` });
    return [name, 'connected'] as const;
  });
  return Object.fromEntries(await Promise.all(checks));
}
