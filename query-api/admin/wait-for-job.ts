/** Waits for the end of a job, as long as a caller waits for an answer. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Job, Jobs } from '../../shared/ports/jobs.js';

const POLL_MS = 250;

/** Resolves with the job as it is at its end or after `waitMs`, whichever comes first. */
export async function waitForJob(
  job: Job,
  {
    jobs,
    waitMs,
    signal,
  }: { readonly jobs: Pick<Jobs, 'find'>; readonly waitMs: number; readonly signal: AbortSignal },
): Promise<Job> {
  const deadline = performance.now() + waitMs;
  let latest = job;
  while (latest.finishedAt === null && performance.now() < deadline) {
    await pause(POLL_MS, undefined, { signal });
    latest = (await jobs.find(job.id)) ?? latest;
  }
  return latest;
}
