/** A rebuild of the vector index and the way back, through the routes and the job. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const AS_ADMIN = { headers: { 'X-Admin-Token': 'admin-token' } };
const REBUILD = '/admin/projections/vectors/rebuild';
const ROLLBACK = '/admin/projections/vectors/rollback';

describe('POST /admin/projections/vectors', () => {
  let service: Service;
  const post = (path: string, body: object = {}) => service.request('POST', path, { ...AS_ADMIN, body });
  const ended = (id: string) =>
    until('the job has ended', async () => {
      const { job } = (await service.request('GET', `/admin/jobs/${id}`, AS_ADMIN)).body;
      return job.finished_at !== null && job;
    });

  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: 'admin-token' } });
    const memories = [{ content: 'dark mode' }, { content: 'postgres migrations' }];
    await service.request('POST', '/memory/batch', { body: { memories } });
    await service.settled();
  });
  after(() => service.close());

  it('starts nothing for a request that cannot work', async () => {
    expect((await service.request('POST', REBUILD, { body: {} })).status).to.equal(401);
    expect((await post(REBUILD, { provider: 'unknown' })).status).to.equal(400);
    const { status, body } = await post(REBUILD, { provider: 'bundled', vector_size: 100 });
    expect([status, body.field]).to.deep.equal([400, 'vector_size']);
    expect((await post(ROLLBACK)).status).to.equal(409);
    expect((await service.request('GET', '/admin/jobs', AS_ADMIN)).body.count).to.equal(0);
  });

  it('rebuilds, refuses a second job, and goes back', async () => {
    const { status, body } = await post(REBUILD, { provider: 'bundled' });
    expect(status).to.equal(202);
    expect((await post(REBUILD)).status).to.equal(409);
    const rebuilt = await ended(body.job.id);
    expect(rebuilt).to.deep.include({ state: 'done', error: null });
    expect(rebuilt.progress).to.deep.include({ space: 2, filled: 2, failed: 0 });
    expect(rebuilt.progress.parity).to.deep.equal({ memories: 2, points: 2, missing: 0, orphaned: 0, stale: 0 });
    const back = await post(ROLLBACK);
    expect(back.status).to.equal(202);
    expect((await ended(back.body.job.id)).progress).to.deep.include({ space: 1, step: 'done' });
  });
});
