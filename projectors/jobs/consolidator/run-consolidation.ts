/**
 * Runs the job `consolidate`: its tasks one after the other. A task saves after each page the position at which it
 * continues after a crash; a task that saves no position starts again, which writes nothing twice.
 */
import { CONSOLIDATION_TASKS, type ConsolidationTask } from '../../../shared/contract/consolidation/consolidate.js';
import type { RunJob } from '../../../shared/jobs/run-jobs.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { isRetryable, reportOf } from '../../../shared/kernel/errors.js';
import type { ConsolidationRecords } from '../../../shared/ports/consolidation-records.js';
import type { Job, JsonRecord } from '../../../shared/ports/jobs.js';
import { createRunCluster } from './run-cluster.js';
import { createRunCreative } from './run-creative.js';
import { createRunDecay } from './run-decay.js';
import { createRunForget } from './run-forget.js';
import { createRunIdentity, type IdentityPorts } from './run-identity.js';
import type { RunTask } from './task.js';

/** As POST /consolidate and the schedule request it. */
export type ConsolidationRequest = {
  readonly mode: string;
  readonly dry_run: boolean;
  readonly tasks: readonly ConsolidationTask[];
  readonly scheduled: boolean;
};
type Checkpoint = { readonly task: ConsolidationTask; readonly state: JsonRecord };
type Steps = Readonly<Partial<Record<ConsolidationTask, JsonRecord>>>;

export function createRunConsolidation({
  records,
  clock,
  ...ports
}: IdentityPorts & { readonly records: Pick<ConsolidationRecords, 'record'>; readonly clock: Clock }): RunJob {
  const tasks: Readonly<Record<ConsolidationTask, RunTask>> = {
    decay: createRunDecay(ports),
    creative: createRunCreative(ports),
    cluster: createRunCluster(ports),
    identity: createRunIdentity(ports),
    forget: createRunForget(ports),
  };
  const now = () => formatTimestamp(clock.now());

  /** A dry run leaves no trace. */
  async function remember(job: Job, result: ConsolidationResult): Promise<void> {
    const { mode, dry_run: isDry, tasks: done } = requestOf(job);
    if (isDry) return;
    await records.record(
      {
        id: job.id,
        mode,
        tasks: done,
        success: result.success,
        startedAt: result.started_at,
        completedAt: result.completed_at,
        result: JSON.stringify(result),
      },
      ports.config.historyLimit,
    );
  }

  return async (job, { signal, save }) => {
    const { dry_run: isDry, tasks: wanted, scheduled } = requestOf(job);
    const startedAt = job.startedAt ?? now();
    const checkpoint = job.checkpoint as Checkpoint | null; // as saved below
    let steps: Steps = (job.progress['steps'] as Steps | undefined) ?? {};
    try {
      for (const task of CONSOLIDATION_TASKS.filter((one) => wanted.includes(one) && steps[one] === undefined)) {
        const result = await tasks[task]({
          now: now(),
          isDry,
          isScheduled: scheduled,
          signal,
          resumed: checkpoint?.task === task ? checkpoint.state : null,
          save: (state, examined) =>
            save({ progress: { steps, task, examined }, checkpoint: { task, state } satisfies Checkpoint }),
        });
        steps = { ...steps, [task]: result };
        await save({ progress: { steps }, checkpoint: null });
      }
    } catch (error) {
      const isFinal = !signal.aborted && !isRetryable(error);
      if (isFinal) await remember(job, resultOf(job, { startedAt, completedAt: now(), steps, error: reportOf(error) }));
      throw error;
    }
    const result = resultOf(job, { startedAt, completedAt: now(), steps, error: null });
    await remember(job, result);
    return result;
  };
}

/** As it was validated when the job was requested. */
function requestOf({ request }: Job): ConsolidationRequest {
  return request as ConsolidationRequest;
}

/** The consolidation of the answer, with its names. */
type ConsolidationResult = {
  readonly mode: string;
  readonly dry_run: boolean;
  readonly started_at: string;
  readonly completed_at: string;
  readonly success: boolean;
  readonly error?: string;
  readonly steps: Steps;
};

type Ending = {
  readonly startedAt: string;
  readonly completedAt: string;
  readonly steps: Steps;
  readonly error: string | null;
};

function resultOf(job: Job, { startedAt, completedAt, steps, error }: Ending): ConsolidationResult {
  const { mode, dry_run: isDry } = requestOf(job);
  return {
    mode,
    dry_run: isDry,
    started_at: startedAt,
    completed_at: completedAt,
    success: error === null,
    ...(error === null ? {} : { error }),
    steps,
  };
}
