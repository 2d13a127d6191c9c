/** POST /consolidate: requests the job that consolidates, waits for its end, and adds words. The projectors run it. */
import { CONSOLIDATION_TASKS, type ConsolidationTask } from '../../shared/contract/consolidation/consolidate.js';
import type { ReplyOf } from '../../shared/contract/operations.js';
import type { Handler } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import type { Job, Jobs } from '../../shared/ports/jobs.js';
import { waitForJob } from '../admin/wait-for-job.js';
import { addWords, type WordPorts } from './add-words.js';

const FULL = 'full';

type Consolidation = ReplyOf<'consolidate', 200>['consolidation'];

export function createConsolidate({
  jobs,
  waitMs,
  ...ports
}: WordPorts & {
  readonly jobs: Pick<Jobs, 'create' | 'find'>;
  /** Longest time that a caller waits for the end of the job. */
  readonly waitMs: number;
}): Handler<'consolidate'> {
  return async ({ body, context: { signal } }) => {
    const { mode = FULL, dry_run: isDry = true } = body;
    const request = { mode, dry_run: isDry, tasks: tasksOf(mode), scheduled: false };
    const job = await waitForJob(await jobs.create({ kind: 'consolidate', request }), { jobs, waitMs, signal });
    if (job.finishedAt === null) return { status: 202, body: { status: 'accepted', job: jobBody(job) } };
    const consolidation = consolidationOf(job);
    const steps = await addWords(consolidation.steps, ports);
    return { status: 200, body: { status: 'success', consolidation: { ...consolidation, steps } } };
  };
}

/** An unknown mode has no tasks, as the contract wants it. */
function tasksOf(mode: string): readonly ConsolidationTask[] {
  return CONSOLIDATION_TASKS.filter((task) => mode === FULL || mode === task);
}

/** The job of a finished run has its result as its progress; a failed one has the steps that it finished. */
function consolidationOf({ request, progress, error, requestedAt, startedAt, finishedAt }: Job): Consolidation {
  if (error === null) return progress as Consolidation;
  const { mode, dry_run: isDry } = request as Pick<Consolidation, 'mode' | 'dry_run'>; // as this file requested it
  const { steps = {} } = progress as Partial<Pick<Consolidation, 'steps'>>;
  return {
    mode,
    dry_run: isDry,
    started_at: startedAt ?? requestedAt,
    ...(finishedAt !== null && { completed_at: finishedAt }),
    success: false,
    error,
    steps,
  };
}
