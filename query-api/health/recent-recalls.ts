/**
 * Keeps the recalls of the last hour of this process in memory of a fixed size: their number, how many found nothing,
 * and a histogram of their times for each step.
 */
import { ACTIVITY } from '../../shared/contract/admin.js';
import type { Clock } from '../../shared/kernel/clock.js';

const { steps: STEPS } = ACTIVITY;
export const STEP_MS = ACTIVITY.stepSeconds * 1_000;
/** The first bucket ends at this time, each further one at 1.1 times the time before; the last one ends at 90 s. */
const SHORTEST_MS = 0.5;
const RATIO = 1.1;
const BUCKETS = 128;

export type RecallTimes = {
  readonly recalls: number;
  readonly foundNothing: number;
  /** Milliseconds, within 5 %; null without a recall. */
  readonly p50Ms: number | null;
  readonly p95Ms: number | null;
};

export interface RecentRecalls {
  /** When this process began to count. */
  readonly since: Date;
  /** Records a recall that was answered. */
  add(recall: { readonly elapsedMs: number; readonly results: number }): void;
  /** The steps up to the one that has this time, the oldest first; null for a step before the beginning. */
  read(now: Date): { readonly steps: readonly (RecallTimes | null)[]; readonly total: RecallTimes };
}

export function createRecentRecalls({ clock }: { readonly clock: Clock }): RecentRecalls {
  const since = clock.now();
  /** Which step each slot has; another one than the wanted one is a step of an earlier hour. */
  const numbers = new Float64Array(STEPS).fill(-1);
  const empty = new Uint32Array(STEPS);
  const times = new Uint32Array(STEPS * BUCKETS);
  const bucketsOf = (slot: number): Uint32Array => times.subarray(slot * BUCKETS, (slot + 1) * BUCKETS);

  return {
    since,
    add: ({ elapsedMs, results }) => {
      const number = stepOf(clock.now());
      const slot = number % STEPS;
      const buckets = bucketsOf(slot);
      if (numbers[slot] !== number) {
        numbers[slot] = number;
        empty[slot] = 0;
        buckets.fill(0);
      }
      const bucket = bucketOf(elapsedMs);
      buckets[bucket] = (buckets[bucket] ?? 0) + 1;
      if (results === 0) empty[slot] = (empty[slot] ?? 0) + 1;
    },
    read: (now) => {
      const all = new Uint32Array(BUCKETS);
      let allEmpty = 0;
      const steps = Array.from({ length: STEPS }, (_, index) => {
        const number = stepOf(now) - STEPS + 1 + index;
        const slot = number % STEPS;
        if (numbers[slot] !== number) return number < stepOf(since) ? null : NO_RECALLS;
        const buckets = bucketsOf(slot);
        for (const [bucket, recalls] of buckets.entries()) all[bucket] = (all[bucket] ?? 0) + recalls;
        allEmpty += empty[slot] ?? 0;
        return timesOf(buckets, empty[slot] ?? 0);
      });
      return { steps, total: timesOf(all, allEmpty) };
    },
  };
}

const NO_RECALLS: RecallTimes = { recalls: 0, foundNothing: 0, p50Ms: null, p95Ms: null };

function stepOf(time: Date): number {
  return Math.floor(time.getTime() / STEP_MS);
}

function bucketOf(ms: number): number {
  const bucket = Math.ceil(Math.log(Math.max(ms, SHORTEST_MS) / SHORTEST_MS) / Math.log(RATIO));
  return Math.min(bucket, BUCKETS - 1);
}

function timesOf(buckets: Uint32Array, foundNothing: number): RecallTimes {
  const recalls = buckets.reduce((sum, each) => sum + each, 0);
  if (recalls === 0) return NO_RECALLS;
  return { recalls, foundNothing, p50Ms: quantile(buckets, 0.5 * recalls), p95Ms: quantile(buckets, 0.95 * recalls) };
}

/** The middle of the bucket in which this many recalls are reached. */
function quantile(buckets: Uint32Array, rank: number): number {
  let passed = 0;
  const bucket = buckets.findIndex((recalls) => (passed += recalls) >= rank);
  return Math.round(SHORTEST_MS * RATIO ** (bucket - 0.5) * 100) / 100;
}
