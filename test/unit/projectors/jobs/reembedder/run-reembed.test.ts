import { expect } from 'chai';
import type { EmbedBatch } from '../../../../../projectors/jobs/reembedder/embed-batch.js';
import { createRunReembed } from '../../../../../projectors/jobs/reembedder/run-reembed.js';
import { VECTOR_INDEXER } from '../../../../../shared/contract/projector-names.js';
import type { LoadedMemory } from '../../../../../shared/ports/graph.js';
import type { Job, JobProgress } from '../../../../../shared/ports/jobs.js';
import { rejection } from '../../../../support/checks/rejection.js';
import { until } from '../../../../support/checks/until.js';
import { day, memory, memoryId } from '../../../../support/fixtures/memories.js';

const MEMORIES = 30;
const newestFirst: readonly LoadedMemory[] = Array.from({ length: MEMORIES }, (_, index) => ({
  memory: memory(MEMORIES - index, { timestamp: day(MEMORIES - index) }),
  vectorRef: null,
  version: 1,
  revision: 1,
  position: MEMORIES - index,
}));

describe('reembed job', () => {
  let saved: JobProgress[];
  let batches: string[][];
  let isPaused: boolean;
  let pausesRead: number;
  let outage: (batch: number) => string | null;
  beforeEach(() => {
    [saved, batches, isPaused, pausesRead, outage] = [[], [], false, 0, () => null];
  });

  const embedBatch: EmbedBatch = async (memories) => {
    const ids = memories.map((loaded) => loaded.memory.id);
    batches.push(ids);
    const problem = outage(batches.length);
    return { failed: problem === null ? [] : ids, outage: problem };
  };
  function run(overrides: Partial<Job> = {}): ReturnType<ReturnType<typeof createRunReembed>> {
    const job: Job = {
      id: 'a job',
      kind: 'reembed',
      request: { batch_size: 2, limit: null, force: false },
      state: 'running',
      progress: {},
      checkpoint: null,
      error: null,
      requestedAt: day(1),
      startedAt: day(1),
      finishedAt: null,
      ...overrides,
    };
    const perform = createRunReembed({
      graph: { counts: async () => ({ memories: MEMORIES, associations: 0, unenriched: 0 }) },
      graphScan: {
        newest: async ({ before, limit }) => {
          const from = before === null ? 0 : newestFirst.findIndex((loaded) => loaded.memory.id === before.id) + 1;
          return newestFirst.slice(from, from + limit);
        },
      },
      states: {
        paused: async () => {
          pausesRead += 1;
          return new Set(isPaused ? [VECTOR_INDEXER] : []);
        },
      },
      embedBatch,
      pauseMs: 0,
    });
    const save = async (state: JobProgress): Promise<void> => void saved.push(state);
    return perform(job, { signal: new AbortController().signal, save });
  }

  it('counts failed batches, names ten memories of them, and goes on', async () => {
    outage = (batch) => (batch <= 9 ? 'no answer' : null);
    const progress = await run();
    expect(progress).to.include({ processed: 12, failed: 18, skipped: 0, total: 30 });
    expect(progress['failed_ids']).to.deep.equal(newestFirst.slice(0, 10).map((loaded) => loaded.memory.id));
  });

  it('stops after ten batches in a row without the provider', async () => {
    outage = (batch) => (batch > 2 ? 'no answer' : null);
    expect((await rejection(run())).message).to.equal('10 batches failed in a row: no answer');
    expect(saved.at(-1)?.progress).to.include({ processed: 4, failed: 20, total: 30 });
  });

  it('counts the failures in a row over a restart', async () => {
    outage = () => 'no answer';
    await rejection(run());
    const { progress = {}, checkpoint = null } = saved[4] ?? {};
    batches = [];
    await rejection(run({ progress, checkpoint }));
    expect(batches).to.have.length(5);
    expect(batches[0]).to.deep.equal([memoryId(20), memoryId(19)]);
  });

  it('waits while the vector indexer is paused', async () => {
    isPaused = true;
    const running = run({ request: { batch_size: 30, limit: 1, force: false } });
    await until('the pause is read', () => pausesRead > 1);
    expect(batches).to.deep.equal([]);
    isPaused = false;
    expect(await running).to.include({ processed: 1, total: 1 });
  });
});
