/**
 * Decides when the next group may start. Normally it starts when the graph has the group before it. While the graph is slow with a group,
 * for example with one event until its transaction times out, the next groups start all the same, so that it delays few other commands.
 */
import { raceDeadline } from '../../../kernel/concurrency/within-deadline.js';

/** A group usually takes 5 to 50 ms. */
const PATIENCE_MS = 250;
/** Slow groups of a process at the same time. Below NEO4J_POOL_SIZE, because each has a connection. An event that Neo4j cannot finish also makes the groups slow that enrich similar memories. */
const SLOW_LIMIT = 12;

/** Resolves when the next group may start. `applying` never rejects; `begun` aborts when its call to the graph begins. */
export type SlowGroups = (applying: Promise<unknown>, begun: AbortSignal) => Promise<void>;

export function createSlowGroups(): SlowGroups {
  const slow = new Set<Promise<unknown>>();

  async function endsSoon(applying: Promise<unknown>, begun: AbortSignal): Promise<boolean> {
    const ended = applying.then(() => true);
    const call = new Promise<void>((resolve) => {
      if (begun.aborted) resolve();
      else begun.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([ended, call]);
    return raceDeadline(ended, { milliseconds: PATIENCE_MS, onDeadline: () => false });
  }

  return async (applying, begun) => {
    if (await endsSoon(applying, begun)) return;
    slow.add(applying);
    void applying.then(() => slow.delete(applying));
    while (slow.size >= SLOW_LIMIT) await Promise.race(slow);
  };
}
