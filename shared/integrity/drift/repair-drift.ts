/**
 * Finds the differences between graph and vector index and has the vector indexer repair them. The indexer stays the
 * only writer of points.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, formatTimestamp } from '../../kernel/clock.js';
import type { EventPublisher } from '../../ports/stream.js';
import type { Expected } from './drift-kind.js';
import { type Difference, type Drift, type DriftPorts, remaining } from './find-drift.js';

export type Repaired = {
  readonly repaired: readonly Difference[];
  /** What the index does not show after `waitMs`, or after `stallMs` without any repair. */
  readonly failed: readonly Difference[];
};

const POLL_MS = 250;
/** Memories that are requested at the same time; the indexer drops more than 10,000. */
const OPEN_REQUESTS = 4_000;
/** A request may be lost, so it is sent again. */
const RESEND_MS = 5_000;
/**
 * A difference that no request repairs, such as a text that the provider rejects, holds back the others for this time.
 */
const STALL_MS = 30_000;

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
    stallMs = STALL_MS,
    signal,
  }: {
    readonly drift: Drift;
    readonly expected: Expected;
    /** Memories in one request. */
    readonly batchSize: number;
    readonly waitMs: number;
    readonly stallMs?: number;
    readonly signal?: AbortSignal;
  },
): Promise<Repaired> {
  const { differences } = drift;
  const deadline = performance.now() + waitMs;
  const open = new Set(differences);
  for (let start = 0; start < differences.length; start += OPEN_REQUESTS) {
    const group = differences.slice(start, start + OPEN_REQUESTS);
    const left = new Set(await repair(group));
    for (const difference of group) if (!left.has(difference)) open.delete(difference);
    // The indexer does not work: more requests would only fill its queue.
    if (left.size === group.length) break;
  }
  return { repaired: differences.filter((difference) => !open.has(difference)), failed: [...open] };

  /** Returns what is still different at the deadline, or when nothing was repaired for `stallMs`. */
  async function repair(some: readonly Difference[]): Promise<readonly Difference[]> {
    let left = some;
    let sentAt = -Infinity;
    let repairedAt = performance.now();
    while (left.length > 0 && performance.now() < Math.min(deadline, repairedAt + stallMs)) {
      if (performance.now() - sentAt >= RESEND_MS) {
        send(left);
        sentAt = performance.now();
      }
      await pause(POLL_MS, undefined, signal && { signal });
      const before = left.length;
      left = await remaining(ports, left, expected);
      if (left.length < before) repairedAt = performance.now();
    }
    return left;
  }

  function send(some: readonly Difference[]): void {
    const at = formatTimestamp(ports.clock.now());
    for (let start = 0; start < some.length; start += batchSize) {
      const ids = some.slice(start, start + batchSize).map(({ id }) => id);
      ports.publisher.notify({ kind: 'reindex', ids, at });
    }
  }
}
