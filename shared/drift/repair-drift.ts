/** Finds the differences between graph and vector index and has the vector indexer repair them. The indexer stays the only writer of points. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, formatTimestamp } from '../kernel/clock.js';
import type { EventPublisher } from '../stream/stream.js';
import type { Expected } from './drift-kind.js';
import { type Difference, type Drift, type DriftPorts, remaining } from './find-drift.js';

export type Repaired = {
  readonly repaired: readonly Difference[];
  /** What the index does not show after `waitMs`. */
  readonly failed: readonly Difference[];
};

const POLL_MS = 250;
/** Memories that are requested at the same time; the indexer drops more than 10,000. */
const OPEN_REQUESTS = 4_000;
/** A request may be lost, so it is sent again. */
const RESEND_MS = 5_000;

export async function repairDrift(
  ports: Pick<DriftPorts, 'graph' | 'vectors'> & {
    readonly publisher: Pick<EventPublisher, 'notify'>;
    readonly clock: Clock;
  },
  {
    drift,
    expected,
    batchSize,
    waitMs,
    signal,
  }: {
    readonly drift: Drift;
    readonly expected: Expected;
    /** Memories in one request. */
    readonly batchSize: number;
    readonly waitMs: number;
    readonly signal?: AbortSignal;
  },
): Promise<Repaired> {
  const { differences } = drift;
  const deadline = performance.now() + waitMs;
  const failed: Difference[] = [];
  for (let start = 0; start < differences.length; start += OPEN_REQUESTS) {
    failed.push(...(await repair(differences.slice(start, start + OPEN_REQUESTS))));
  }
  const open = new Set(failed);
  return { repaired: differences.filter((difference) => !open.has(difference)), failed };

  /** Returns what is still different at the deadline. */
  async function repair(some: readonly Difference[]): Promise<readonly Difference[]> {
    let left = some;
    let sentAt = -Infinity;
    while (left.length > 0 && performance.now() < deadline) {
      if (performance.now() - sentAt >= RESEND_MS) {
        send(left);
        sentAt = performance.now();
      }
      await pause(POLL_MS, undefined, signal && { signal });
      left = await remaining(ports, left, expected);
    }
    return left;
  }

  function send(some: readonly Difference[]): void {
    const at = formatTimestamp(ports.clock.now());
    for (let start = 0; start < some.length; start += batchSize) {
      const ids = some.slice(start, start + batchSize).map(({ id }) => id);
      ports.publisher.notify({ kind: 'reindex', ids, embedAgain: false, at });
    }
  }
}
