/** The routes of jobs, and the rebuild of the graph as a job. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { loseMemoryInFile, loseMemoryInNeo4j } from '../../support/faults/lose-memory.js';
import { createTempFolder, type TempFolder } from '../../support/fixtures/temp-folder.js';
import { type Service, startEmbedded, startOnServers } from '../../support/processes/service.js';

const ADMIN = 'admin-token';
const IS_REAL = process.env['PALIMPSEST_TEST_ENGINES'] === 'real';
const AS_ADMIN = { headers: { 'X-Admin-Token': ADMIN } };

describe('jobs', () => {
  let service: Service;
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
    const options = { variables: { ADMIN_API_TOKEN: ADMIN } };
    service = await (IS_REAL ? startOnServers(options) : startEmbedded({ ...options, dataFolder: folder.path }));
  });
  after(async () => {
    await service.close();
    await folder.remove();
  });

  it('are shown to administrators only', async () => {
    for (const path of ['/admin/jobs', `/admin/jobs/${randomUUID()}`])
      expect((await service.request('GET', path)).status).to.equal(401);
    expect((await service.request('POST', '/admin/projections/graph/rebuild')).status).to.equal(401);
  });

  it('answer 404 for an unknown id and 400 for an id that is no UUID', async () => {
    const unknown = await service.request('GET', `/admin/jobs/${randomUUID()}`, AS_ADMIN);
    expect([unknown.status, unknown.body.message]).to.deep.equal([
      404,
      'Job not found: GET /admin/jobs lists the jobs',
    ]);
    const wrong = await service.request('GET', '/admin/jobs/last', AS_ADMIN);
    expect([wrong.status, wrong.body.message]).to.deep.equal([400, 'job_id must be a valid UUID']);
  });

  it('bring back a memory and an association that the graph lost', async () => {
    const contents = ['lost by the graph', 'its neighbour'];
    const stored = await service.request('POST', '/memory/batch', {
      body: { memories: contents.map((content) => ({ content })) },
    });
    const [lost = '', kept = ''] = stored.body.memory_ids as string[];
    const pair = { memory1_id: kept, memory2_id: lost, type: 'RELATES_TO', strength: 0.7 };
    expect((await service.request('POST', '/associate', { body: pair })).status).to.equal(201);
    await service.settled();
    await (IS_REAL ? loseMemoryInNeo4j(lost) : loseMemoryInFile(folder.path, lost));
    expect((await service.request('GET', `/memory/${lost}`)).status).to.equal(404);

    const { status, body } = await service.request('POST', '/admin/projections/graph/rebuild', AS_ADMIN);
    expect(status).to.equal(202);
    expect(body.job).to.deep.include({ kind: 'rebuild-graph', error: null });
    const done = await until('the job ends', async () => {
      const { body: shown } = await service.request('GET', `/admin/jobs/${body.job.id}`, AS_ADMIN);
      return shown.job.finished_at !== null && shown.job;
    });
    expect(done).to.include({ state: 'done' });
    expect(done.progress).to.include({ subjects: 3, total_subjects: 3 });
    const { body: found } = await service.request('GET', `/memory/${lost}`);
    expect(found.memory.content).to.equal('lost by the graph');
    expect(found.memory.relations.map(({ memory }: { memory: { id: string } }) => memory.id)).to.deep.equal([kept]);
  });
});
