/** The promises of every table of jobs. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { JOBS_KEPT } from '../../../shared/contract/maintenance/jobs.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import { JOB_ADAPTERS, type OpenJobs } from '../../support/adapters/jobs.js';
import { rejection } from '../../support/checks/rejection.js';

for (const adapter of JOB_ADAPTERS) {
  describe(`jobs: ${adapter.name}`, () => {
    let opened: OpenJobs;
    beforeEach(async () => {
      opened = await adapter.open();
    });
    afterEach(() => opened.close());

    it('keeps the request, the progress and the checkpoint of a job until its end', async () => {
      const { jobs } = opened;
      const created = await jobs.create({ kind: 'reembed', request: { limit: 3 } });
      expect(created).to.deep.include({ kind: 'reembed', request: { limit: 3 }, state: 'waiting', progress: {} });
      expect(created).to.deep.include({ checkpoint: null, error: null, startedAt: null, finishedAt: null });
      expect(Math.abs(Date.now() - Date.parse(created.requestedAt))).to.be.lessThan(60_000);
      expect(await jobs.unfinished()).to.deep.equal(created);

      await jobs.save(created.id, { progress: { processed: 1 }, checkpoint: { after: 'a' } });
      const running = await jobs.find(created.id);
      expect(running).to.deep.include({ state: 'running', progress: { processed: 1 }, checkpoint: { after: 'a' } });
      await jobs.save(created.id, { progress: { processed: 2 }, checkpoint: { after: 'b' } });
      expect((await jobs.find(created.id))?.startedAt)
        .to.be.a('string')
        .and.equal(running?.startedAt);

      await jobs.finish(created.id, { progress: { processed: 3 }, error: null });
      const done = await jobs.find(created.id);
      expect(done).to.deep.include({ state: 'done', progress: { processed: 3 }, checkpoint: null });
      expect(done?.finishedAt).to.be.a('string');
      expect(await jobs.unfinished()).to.equal(null);
    });

    it('refuses a job while one of any kind runs, and names its id', async () => {
      const { jobs } = opened;
      const { id } = await jobs.create({ kind: 'reembed', request: {} });
      const refused = await rejection(jobs.create({ kind: 'rebuild-graph', request: {} }));
      expect(refused).to.be.instanceOf(ConflictError).with.property('message').that.includes(id);
      await jobs.finish(id, { progress: {}, error: 'the provider rejects the key' });
      expect(await jobs.find(id)).to.deep.include({ state: 'failed', error: 'the provider rejects the key' });
      expect((await jobs.create({ kind: 'rebuild-graph', request: {} })).state).to.equal('waiting');
    });

    it('creates one job when many are requested at the same time', async () => {
      const { jobs } = opened;
      const requests = Array.from({ length: 8 }, () => jobs.create({ kind: 'reembed', request: {} }));
      const outcomes = await Promise.allSettled(requests);
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
      expect(await jobs.list({ limit: 10 })).to.have.length(1);
    });

    it('does not change a job that has ended', async () => {
      const { jobs } = opened;
      const { id } = await jobs.create({ kind: 'reembed', request: {} });
      await jobs.finish(id, { progress: { processed: 1 }, error: null });
      await jobs.save(id, { progress: { processed: 9 }, checkpoint: {} });
      await jobs.finish(id, { progress: { processed: 9 }, error: 'late' });
      expect(await jobs.find(id)).to.deep.include({ state: 'done', progress: { processed: 1 }, error: null });
    });

    it('lists the newest first and keeps a limited number of ended jobs', async () => {
      const { jobs } = opened;
      const ids: string[] = [];
      for (let count = 0; count < JOBS_KEPT + 2; count += 1) {
        const { id } = await jobs.create({ kind: 'reembed', request: {} });
        await jobs.finish(id, { progress: {}, error: null });
        ids.unshift(id);
      }
      const { id: unfinished } = await jobs.create({ kind: 'reembed', request: {} });
      expect((await jobs.list({ limit: 3 })).map(({ id }) => id)).to.deep.equal([unfinished, ids[0], ids[1]]);
      expect(await jobs.list({ limit: 1_000 })).to.have.length(JOBS_KEPT + 1);
      expect(await jobs.find(ids.at(-1) ?? '')).to.equal(null);
    });

    it('finds no job for an unknown id', async () => {
      expect(await opened.jobs.find(randomUUID())).to.equal(null);
    });
  });
}
