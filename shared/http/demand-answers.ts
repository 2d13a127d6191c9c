/** Readiness: everything that a process cannot serve without really answered just now. */
import { withinDeadline } from '../kernel/within-deadline.js';

/** Orchestrators ask every few seconds and wait for one. */
const PROBE_TIMEOUT_MS = 2_000;

/** By name, how to ask it. Rejects with the first that does not answer; else says of each that it is connected. */
export async function demandAnswers(
  pings: Readonly<Record<string, () => Promise<void>>>,
): Promise<Readonly<Record<string, string>>> {
  const asked = Object.entries(pings).map(async ([name, ping]) => {
    await withinDeadline(ping(), { milliseconds: PROBE_TIMEOUT_MS, name: `The ${name}` });
    return [name, 'connected'] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
}
