/** The job `rebuild-graph`: a replay of the journal into the graph, which changes nothing twice. */
import type { Handler } from '../../shared/http/handler.js';
import { jobBody } from '../../shared/jobs/job-body.js';
import type { RunJob } from '../../shared/jobs/run-jobs.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { ConflictError } from '../../shared/kernel/errors.js';
import type { Jobs } from '../../shared/ports/jobs.js';
import type { RebuildProgress } from '../../shared/ports/journal-identity.js';
import type { HeldTask } from '../../shared/ports/maintenance-lock.js';

export type GraphReplayRun = {
  /** Null while another replay runs. */
  readonly hold: () => Promise<Pick<HeldTask, 'lost' | 'release'> | null>;
  readonly replay: (options: {
    readonly signal: AbortSignal;
    readonly onProgress: (progress: RebuildProgress) => void;
  }) => Promise<{ readonly progress: RebuildProgress }>;
};

const SAVE_MS = 1_000;

export function createRunGraphRebuild({ hold, replay }: GraphReplayRun): RunJob {
  return async (_job, { signal, save }) => {
    const held = await hold();
    if (held === null) throw new ConflictError('The graph is being rebuilt already: this job waits for its end');
    let savedAt = performance.now();
    let saving: Promise<void> = Promise.resolve();
    const onProgress = (progress: RebuildProgress): void => {
      if (performance.now() - savedAt < SAVE_MS) return;
      savedAt = performance.now();
      saving = saving.then(() => save({ progress: progressBody(progress), checkpoint: null }));
      saving.catch(() => undefined /* reported at the end of the replay */);
    };
    try {
      const { progress } = await withAnySignal([signal, held.lost], (ended) => replay({ signal: ended, onProgress }));
      await saving;
      return progressBody(progress);
    } finally {
      await held.release();
    }
  };
}

function progressBody({ events, subjects, totalSubjects }: RebuildProgress) {
  return { events, subjects, total_subjects: totalSubjects };
}

export function createRebuildGraph({ jobs }: { readonly jobs: Pick<Jobs, 'create'> }): Handler<'rebuildGraph'> {
  return async () => {
    const job = await jobs.create({ kind: 'rebuild-graph', request: {} });
    return { status: 202, body: { status: 'accepted', job: jobBody(job) } };
  };
}
