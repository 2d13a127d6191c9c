import { expect } from 'chai';
import { startService } from '../../support/processes/service.js';
import { expectProblem, type Service, store } from './memory-fixtures.js';

describe('If-Match and ETag', () => {
  let service: Service;
  let id: string;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  beforeEach(async () => {
    id = await store(service);
  });

  const patch = (body: unknown, headers = {}) => service.request('PATCH', `/memory/${id}`, { body, headers });

  it('use the revision, which increases with each change of a caller', async () => {
    const first = await service.request('GET', `/memory/${id}`);
    const changed = await patch({ importance: 0.9 });
    const second = await service.request('GET', `/memory/${id}`);

    expect(first.headers.get('etag')).to.equal('"1"');
    expect(changed.headers.get('etag')).to.equal('"2"');
    expect(second.headers.get('etag')).to.equal('"2"');
  });

  it('accept a change of the current revision after the indexer has run', async () => {
    await service.settled();

    expect((await patch({ importance: 0.9 }, { 'If-Match': '"1"' })).status).to.equal(200);
    expect((await patch({ importance: 0.8 }, { 'If-Match': '*' })).status).to.equal(200);
  });

  it('refuse a change of an older revision and name the current one', async () => {
    await patch({ importance: 0.9 });

    const refused = await patch({ importance: 0.1 }, { 'If-Match': '"1"' });

    expectProblem(refused, 412, /revision 2/u);
    expect(refused.body).to.include({ revision: 2 });
  });

  it('accept weak tags and lists of tags', async () => {
    expect((await patch({ importance: 0.9 }, { 'If-Match': 'W/"1"' })).status).to.equal(200);
    expect((await patch({ importance: 0.8 }, { 'If-Match': '"1", "2"' })).status).to.equal(200);
    expectProblem(await patch({ importance: 0.7 }, { 'If-Match': '"1", W/"2"' }), 412, /revision 3, not 1 or 2/u);
  });

  it('answer a GET with a known revision with 304 and without a body', async () => {
    const get = (tags: string) =>
      fetch(`${service.url}/memory/${id}`, { headers: { 'If-None-Match': tags } }).then(async (answer) => ({
        status: answer.status,
        etag: answer.headers.get('etag'),
        length: (await answer.text()).length,
      }));
    for (const tags of ['"1"', 'W/"1"', '"7", "1"', '*'])
      expect(await get(tags), tags).to.deep.equal({ status: 304, etag: '"1"', length: 0 });
    await patch({ importance: 0.9 });
    expect(await get('"1"')).to.include({ status: 200, etag: '"2"' });
  });

  it('also guard deletions', async () => {
    await patch({ importance: 0.9 });

    expect((await service.request('DELETE', `/memory/${id}`, { headers: { 'If-Match': '"1"' } })).status).to.equal(412);
    expect((await service.request('DELETE', `/memory/${id}`, { headers: { 'If-Match': '"2"' } })).status).to.equal(200);
    expect((await service.request('DELETE', `/memory/${id}`, { headers: { 'If-Match': '*' } })).status).to.equal(404);
  });

  it('accept one of many changes of the same revision', async () => {
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, index) => patch({ importance: index / 10 }, { 'If-Match': '"1"' })),
    );

    expect(answers.map(({ status }) => status).sort()).to.deep.equal([200, 412, 412, 412, 412, 412]);
  });
});
