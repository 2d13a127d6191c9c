/** POST /enrichment/reprocess: requests a new enrichment of memories, even of enriched and waiting ones. */
import { expect } from 'chai';
import type { RecordedEvent } from '../../../shared/contract/events.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, expectProblem, store } from '../memories/memory-fixtures.js';

const ADMIN = 'the-admin-token';
const PATH = '/enrichment/reprocess';

describe('POST /enrichment/reprocess', () => {
  let service: Service;
  let ids: readonly string[];
  before(async () => {
    service = await startService({ enriches: true, variables: { ADMIN_API_TOKEN: ADMIN } });
  });
  after(() => service.close());
  beforeEach(async () => {
    ids = (await Promise.all([store(service), store(service, { tags: ['own'] })])).sort();
  });

  const post = (body: unknown, { path = PATH, key }: { readonly path?: string; readonly key?: string } = {}) =>
    service.request('POST', path, {
      body,
      headers: { 'X-Admin-Token': ADMIN, ...(key === undefined ? {} : { 'Idempotency-Key': key }) },
    });

  async function requests(of: readonly string[] = ids): Promise<readonly RecordedEvent[]> {
    const found: RecordedEvent[] = [];
    for (let after = 0; ;) {
      const page = await service.engines.journal.read({ after, limit: 500 });
      found.push(...page.filter(({ type, subject }) => type === 'memory.enrichment.requested' && of.includes(subject)));
      const last = page.at(-1);
      if (last === undefined) return found;
      after = last.position;
    }
  }

  it('answers 202 with sorted ids and requests each existing memory', async () => {
    const answer = await post({ ids: [ids[1], ABSENT_MEMORY_ID, 'no id at all', ids[0], ids[1]] });

    expect(answer.status).to.equal(202);
    expect(answer.body).to.deep.equal({
      status: 'queued',
      count: 4,
      ids: [...ids, ABSENT_MEMORY_ID, 'no id at all'].sort(),
    });
    expect((await requests()).map(({ subject }) => subject).sort()).to.deep.equal(ids);
    expect(await requests([ABSENT_MEMORY_ID])).to.deep.equal([]);
  });

  it('journals a forced request with its actor', async () => {
    await post({ ids });

    for (const event of await requests()) {
      expect(event).to.deep.include({ revision: 1, causationId: null });
      expect(event.actor.tier).to.equal('admin');
      expect(event.data).to.include({ forced: true });
      expect(event.data)
        .to.have.property('memory')
        .that.includes({ id: event.subject, enriched: false, processed: false });
    }
  });

  it('keeps the ETag, so that If-Match still works', async () => {
    await post({ ids });

    const { headers } = await service.request('GET', `/memory/${ids[0]}`);
    expect(headers.get('etag')).to.equal('"1"');
    const changed = await service.request('PATCH', `/memory/${ids[0]}`, {
      body: { importance: 0.9 },
      headers: { 'If-Match': '"1"' },
    });
    expect([changed.status, changed.headers.get('etag')]).to.deep.equal([200, '"2"']);
  });

  it('journals every request', async () => {
    await Promise.all([post({ ids }), post({ ids }), post({ ids })]);
    expect(await requests()).to.have.length(6);
  });

  it('accepts ids in the query without a body', async () => {
    const answer = await post(undefined, { path: `${PATH}?ids=${ids.join(',')}` });
    expect([answer.status, answer.body.ids]).to.deep.equal([202, ids]);
    expect(await requests()).to.have.length(2);
  });

  it('accepts a comma-separated string', async () =>
    expect((await post({ ids: ids.join(', ') })).body).to.include({ count: 2 }));

  it('accepts an id in upper case', async () => {
    expect((await post({ ids: [ids[0]?.toUpperCase()] })).body.ids).to.deep.equal([ids[0]?.toUpperCase()]);
    expect(await requests()).to.have.length(1);
  });

  it('accepts 500 ids', async () => {
    const batch = await service.request('POST', '/memory/batch', {
      body: { memories: Array.from({ length: 500 }, (_, index) => ({ content: `Note ${index}`, type: 'Context' })) },
    });
    const answer = await post({ ids: batch.body.memory_ids });
    expect([answer.status, answer.body.count]).to.deep.equal([202, 500]);
    expect(await requests(batch.body.memory_ids)).to.have.length(500);
  });

  for (const body of [
    {},
    { ids: [] },
    { ids: ['  '] },
    { ids: [5, null] },
    { ids: 7 },
    { ids: {} },
    { ids: '' },
    undefined,
    [],
  ]) {
    it(`rejects ${JSON.stringify(body)}`, async () =>
      expectProblem(await post(body), 400, 'No memory ids provided for reprocessing'));
  }

  it('rejects more than 500 ids and requests none', async () => {
    const answer = await post({ ids: [...ids, ...Array.from({ length: 499 }, (_, index) => `id-${index}`)] });
    expectProblem(answer, 400, "'ids' must have at most 500 items (501 provided)");
    expect(answer.body.field).to.equal('ids');
    expect(await requests()).to.deep.equal([]);
  });

  it('repeats its answer for an Idempotency-Key', async () => {
    const first = await post({ ids }, { key: 'again' });
    const second = await post({ ids }, { key: 'again' });
    expect([second.status, second.body]).to.deep.equal([first.status, first.body]);
    expect(await requests()).to.have.length(2);
    expectProblem(await post({ ids: [ids[0]] }, { key: 'again' }), 422, /Idempotency-Key/u);
  });

  it('answers 503 while the graph is down', async () => {
    service.breakers.graph.break();
    const answer = await post({ ids });
    service.breakers.graph.mend();
    expect(answer.status).to.equal(503);
    // The enricher may have found the graph down as well; then commands are refused until the next probe.
    await until('commands are accepted again', async () => (await post({ ids })).status === 202);
  });

  // Last, because over real engines the second service empties the graph of the first.
  it('accepts only the admin token', async () => {
    expectProblem(await service.request('POST', PATH, { body: { ids } }), 401, 'Admin authorization required');
    expect(await requests()).to.deep.equal([]);
    const closed = await startService();
    const answer = await closed.request('POST', PATH, { body: { ids }, headers: { 'X-Admin-Token': ADMIN } });
    await closed.close();
    expectProblem(answer, 403, 'Admin token not configured');
  });
});
