import { expect } from 'chai';
import { createLocalMaintenanceLock } from '../../../deploy/embedded/local-maintenance-lock.js';
import type { JobKind } from '../../../shared/contract/maintenance/jobs.js';
import { type JobRunner, type RunJob, startJobRunner } from '../../../shared/jobs/run-jobs.js';
import { DependencyError } from '../../../shared/kernel/errors.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import type { Jobs } from '../../../shared/ports/jobs.js';
import type { MaintenanceLock } from '../../../shared/ports/maintenance-lock.js';
import { openSqliteJobs } from '../../support/adapters/jobs.js';
import { until } from '../../support/checks/until.js';

describe('job runner', () => {
  let jobs: Jobs;
  let closeJobs: () => Promise<void>;
  const lock = createLocalMaintenanceLock();
  const runners: JobRunner[] = [];
  beforeEach(async () => {
    ({ jobs, close: closeJobs } = await openSqliteJobs());
  });
  afterEach(async () => {
    await Promise.all(runners.splice(0).map((runner) => runner.close()));
    await closeJobs();
  });

  function start(runs: Partial<Record<JobKind, RunJob>>, stuckMs?: number): JobRunner {
    const runner = startJobRunner({
      jobs,
      lock,
      runs: new Map(Object.entries(runs) as [JobKind, RunJob][]),
      logger: silentLogger,
      ...(stuckMs !== undefined && { stuckMs }),
    });
    runners.push(runner);
    return runner;
  }
  const ended = async (id: string) => {
    await until('the job ends', async () => (await jobs.find(id))?.finishedAt != null);
    return jobs.find(id);
  };

  it('runs a job to its end and keeps its last progress', async () => {
    start({ reembed: async ({ request }) => ({ processed: request['limit'] }) });
    const { id } = await jobs.create({ kind: 'reembed', request: { limit: 4 } });
    expect(await ended(id)).to.deep.include({ state: 'done', progress: { processed: 4 } });
  });

  it('leaves a job of another kind to other processes', async () => {
    let queries = 0;
    const counted: Jobs = { ...jobs, unfinished: () => ((queries += 1), jobs.unfinished()) };
    const runs = new Map<JobKind, RunJob>([['reembed', async () => ({})]]);
    runners.push(startJobRunner({ jobs: counted, lock, runs, logger: silentLogger }));
    const { id } = await jobs.create({ kind: 'rebuild-graph', request: {} });
    await until('the runner has queried twice more', async () => queries > 2);
    expect((await jobs.find(id))?.state).to.equal('waiting');
  });

  it('lets one of two processes run a job', async () => {
    let starts = 0;
    let refusals = 0;
    const counted: MaintenanceLock = {
      take: async (task) => {
        const held = await lock.take(task);
        if (held === null) refusals += 1;
        return held;
      },
    };
    const run: RunJob = async () => {
      starts += 1;
      await until('the other process is refused', () => refusals > 0);
      return {};
    };
    for (let count = 0; count < 2; count += 1) {
      runners.push(startJobRunner({ jobs, lock: counted, runs: new Map([['reembed', run]]), logger: silentLogger }));
    }
    const { id } = await jobs.create({ kind: 'reembed', request: {} });
    await ended(id);
    expect(starts).to.equal(1);
  });

  it('continues at the last checkpoint after its process stopped', async () => {
    const seen: unknown[] = [];
    const run: RunJob = async ({ checkpoint }, { signal, save }) => {
      seen.push(checkpoint);
      if (checkpoint !== null) return { processed: 2 };
      await save({ progress: { processed: 1 }, checkpoint: { after: 1 } });
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    };
    const first = start({ reembed: run });
    const { id } = await jobs.create({ kind: 'reembed', request: {} });
    await until('a checkpoint is saved', async () => (await jobs.find(id))?.checkpoint != null);
    await first.close();
    expect((await jobs.find(id))?.state).to.equal('running');
    start({ reembed: run });
    expect(await ended(id)).to.deep.include({ state: 'done', progress: { processed: 2 } });
    expect(seen).to.deep.equal([null, { after: 1 }]);
  });

  it('runs a job again after a retryable error', async () => {
    let attempts = 0;
    start({
      reembed: async () => {
        attempts += 1;
        if (attempts === 1) throw new DependencyError('vectors', 'no answer');
        return { attempts };
      },
    });
    const { id } = await jobs.create({ kind: 'reembed', request: {} });
    expect(await ended(id)).to.deep.include({ state: 'done', progress: { attempts: 2 } });
  });

  it('fails a job after an error that is not retryable, with its progress', async () => {
    start({
      reembed: async (_job, { save }) => {
        await save({ progress: { processed: 7 }, checkpoint: null });
        throw new Error('a bug');
      },
    });
    const { id } = await jobs.create({ kind: 'reembed', request: {} });
    expect(await ended(id)).to.deep.include({
      state: 'failed',
      progress: { processed: 7 },
      error: 'Unexpected Error: see the log of the process',
    });
  });

  it('fails a job that makes no progress for too long', async () => {
    start({ reembed: () => Promise.reject(new DependencyError('vectors', 'no answer')) }, 0);
    const { id } = await jobs.create({ kind: 'reembed', request: {} });
    expect(await ended(id)).to.deep.include({ state: 'failed', error: 'no answer' });
  });
});
