/**
 * Preloaded into a service: on SIGUSR2 prints the longest turn of its event loop since the last signal, and begins
 * again. A turn is measured in processor time of the main thread, in relation to a fixed piece of work, so neither a
 * busy nor a slow machine makes it longer. Linux only.
 */
import { openSync, readSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/** What the fixed piece of work takes on the machine for which the limits in `event-loop.ts` hold. */
const FIXED_WORK_MS = 80;
const FIXED_WORK = JSON.stringify(Array.from({ length: 10_000 }, (_, index) => ({ index, text: `item ${index}` })));
/** The kernel counts the time of a thread that goes on working in steps of up to 4 ms. */
const FIXED_RUNS = 20;

/** A function that returns the processor time of the main thread in ms. */
function openThreadTime(): () => number {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const buffer = Buffer.alloc(64);
  return () => Number.parseInt(buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0)), 10) / 1e6;
}

function fixedWork(threadTime: () => number): number {
  const begun = threadTime();
  for (let run = 0; run < FIXED_RUNS; run += 1) JSON.parse(FIXED_WORK);
  return threadTime() - begun;
}

if (isMainThread) {
  const threadTime = openThreadTime();
  let longest = 0;
  let records = 0;
  let last = threadTime();
  // Runs once in each turn that takes a millisecond or more.
  setInterval(() => {
    const now = threadTime();
    longest = Math.max(longest, now - last);
    last = now;
  }, 1).unref();
  process.on('SIGUSR2', () => {
    const slowness = Math.max(1, fixedWork(threadTime) / FIXED_WORK_MS);
    process.stderr.write(`longest turn ${(records += 1)}: ${(longest / slowness).toFixed(1)} ms\n`);
    longest = 0;
    last = threadTime();
  });
}
