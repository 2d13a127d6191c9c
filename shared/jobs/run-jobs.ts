/**
 * Runs the unfinished job of the deployment, if this process can run its kind. Many processes may do so at the same
 * time: the maintenance lock lets one of them run a job. After a crash another process, or the next one, continues at
 * the last checkpoint.
 */
import type { JobKind } from '../contract/maintenance/jobs.js';
import { withAnySignal } from '../kernel/concurrency/abort-signals.js';
import { createLoop } from '../kernel/concurrency/loop.js';
import { isRetryable, reportOf } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import type { Job, JobProgress, Jobs, JsonRecord } from '../ports/jobs.js';
import type { MaintenanceLock } from '../ports/maintenance-lock.js';

/**
 * One run of a job; resolves with the last progress. Called again with the last checkpoint after a crash and after a
 * retryable error; any other error fails the job. It ends soon after `signal` is aborted, by rejecting.
 */
export type RunJob = (
  job: Job,
  context: { readonly signal: AbortSignal; readonly save: (state: JobProgress) => Promise<void> },
) => Promise<JsonRecord>;

/** How often a process looks for a job; seldom while there is none. */
const PACE = { idleMinimumMs: 500, idleMaximumMs: 2_000, failedMinimumMs: 500, failedMaximumMs: 30_000 };
/** A job whose runs save nothing for this long, because of retryable errors, fails. */
const STUCK_MS = 60 * 60_000;
const ERROR_LIMIT_CHARACTERS = 500;

export type JobRunner = {
  /** Aborts the running job, which stays unfinished. */
  readonly close: () => Promise<void>;
};

export function startJobRunner({
  jobs,
  lock,
  runs,
  logger,
  stuckMs = STUCK_MS,
}: {
  readonly jobs: Jobs;
  readonly lock: MaintenanceLock;
  readonly runs: ReadonlyMap<JobKind, RunJob>;
  readonly logger: Logger;
  readonly stuckMs?: number;
}): JobRunner {
  const closing = new AbortController();
  /** When this process last saw the job begin or save its progress. */
  let moved: { readonly id: string; readonly at: number } | null = null;

  const loop = createLoop({
    step: async (signal) => {
      const waiting = await jobs.unfinished();
      const run = waiting && runs.get(waiting.kind);
      if (!waiting || !run) return 'idle';
      const held = await lock.take('job');
      if (held === null) return 'idle';
      try {
        const job = await jobs.find(waiting.id); // the process that had the lock may have changed it
        if (job?.finishedAt === null) await withAnySignal([signal, held.lost], (ended) => runOne(job, run, ended));
      } finally {
        await held.release();
      }
      return 'idle';
    },
    onFailure: (err, waitMs) => {
      if (!closing.signal.aborted) logger.warn({ err, waitMs }, 'running a job failed; it continues after a pause');
    },
    pace: PACE,
  });

  async function runOne(job: Job, run: RunJob, signal: AbortSignal): Promise<void> {
    const { id, kind } = job;
    if (moved?.id !== id) moved = { id, at: performance.now() };
    let last: JobProgress = job;
    const save = async (state: JobProgress): Promise<void> => {
      await jobs.save(id, state);
      last = state;
      moved = { id, at: performance.now() };
    };
    logger.info({ job: id, kind, checkpoint: job.checkpoint }, 'job started');
    await jobs.save(id, last);
    try {
      const progress = await run(job, { signal, save });
      await jobs.finish(id, { progress, error: null });
      logger.info({ job: id, kind, ...progress }, 'job finished');
    } catch (error) {
      const isStuck = performance.now() - moved.at >= stuckMs;
      if (signal.aborted || (isRetryable(error) && !isStuck)) throw error;
      await jobs.finish(id, { progress: last.progress, error: reportOf(error).slice(0, ERROR_LIMIT_CHARACTERS) });
      logger.error({ err: error, job: id, kind }, 'job failed');
    }
  }

  const running = loop.run(closing.signal);
  return {
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
