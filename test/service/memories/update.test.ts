import { expect } from 'chai';
import { startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, expectProblem, read, type Service, store } from './memory-fixtures.js';

describe('PATCH /memory/:id', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  it('changes only the given fields', async () => {
    const id = await store(service, { tags: ['a:b'], metadata: { a: 1, b: 2 }, timestamp: '2024-01-01' });

    const { status, body } = await service.request('PATCH', `/memory/${id}`, {
      body: { importance: 0.9, metadata: { b: 3 }, id: ABSENT_MEMORY_ID },
    });

    expect(status).to.equal(200);
    expect(body).to.deep.equal({ status: 'success', memory_id: id });
    const memory = await read(service, id);
    expect(memory).to.deep.include({
      id,
      importance: 0.9,
      metadata: { b: 3 },
      tags: ['a:b'],
      timestamp: '2024-01-01T00:00:00+00:00',
      content: 'Deploys go through the pipeline',
    });
    expect(memory['updated_at']).to.not.equal('2024-01-01T00:00:00+00:00');
  });

  it('recomputes tag prefixes', async () => {
    const id = await store(service, { tags: ['a:b'] });

    await service.request('PATCH', `/memory/${id}`, { body: { tags: 'C/d' } });

    expect(await read(service, id)).to.deep.include({ tags: ['C/d'], tag_prefixes: ['c', 'c:d'] });
  });

  it('splits a string of tags at commas, keeps a list, and null removes all', async () => {
    const id = await store(service, { tags: 'kept,whole' });
    expect(await read(service, id)).to.deep.include({ tags: ['kept,whole'] });
    for (const [given, kept] of [
      ['x, y/z,', ['x', 'y/z']],
      [['x, y', ' ', 'x, y'], ['x, y']],
      [null, []],
    ] as const) {
      await service.request('PATCH', `/memory/${id}`, { body: { tags: given } });

      expect(await read(service, id)).to.deep.include({ tags: kept });
    }
  });

  it('keeps null fields, except tags, metadata and bounds, which it empties', async () => {
    const id = await store(service, { importance: '0.25', t_valid: '2024-01-01', metadata: { a: 1 } });
    const nothing = {
      content: null,
      type: null,
      importance: null,
      confidence: null,
      timestamp: null,
      updated_at: null,
      last_accessed: null,
    };

    expect(
      (await service.request('PATCH', `/memory/${id}`, { body: { ...nothing, metadata: null, t_valid: null } })).status,
    ).to.equal(200);

    const memory = await read(service, id);
    expect(memory).to.deep.include({
      content: 'Deploys go through the pipeline',
      type: 'Decision',
      importance: 0.25,
      confidence: 0.9,
      metadata: {},
    });
    expect(memory).to.not.have.property('t_valid');
  });

  it("reads numbers from texts and booleans, and the caller's updated_at", async () => {
    const id = await store(service, { importance: true });
    expect(await read(service, id)).to.include({ importance: 1 });

    await service.request('PATCH', `/memory/${id}`, {
      body: { importance: ' 0.75 ', confidence: false, updated_at: '2024-05-01' },
    });

    expect(await read(service, id)).to.include({
      importance: 0.75,
      confidence: 0,
      updated_at: '2024-05-01T00:00:00+00:00',
    });
  });

  it('removes a null bound, so that the memory is current again', async () => {
    const id = await store(service, { content: 'Expired zebra', t_invalid: '2024-01-02', timestamp: '2024-01-01' });
    const before = await service.request('GET', '/recall?query=zebra');

    await service.request('PATCH', `/memory/${id}`, { body: { t_invalid: null } });
    const after = await service.request('GET', '/recall?query=zebra');

    expect(before.body.results.map((result: { id: string }) => result.id)).to.not.include(id);
    expect(after.body).to.have.nested.property('results[0].id', id);
    expect(await read(service, id)).to.not.have.property('t_invalid');
  });

  it('answers after recall finds the new content', async () => {
    const id = await store(service, { content: 'The capital of the old plan is Lisbon' });
    await service.settled();

    await service.request('PATCH', `/memory/${id}`, { body: { content: 'Giraffes graze at the northern station' } });
    const recall = await service.request('GET', '/recall?query=giraffes%20northern%20station&limit=1');

    expect(recall.body).to.have.nested.property('results[0].memory.content', 'Giraffes graze at the northern station');
  });

  it('changes nothing for a body without a known field', async () => {
    const id = await store(service);
    const before = await read(service, id);

    const { status } = await service.request('PATCH', `/memory/${id}`, { body: { surprise: 1 } });

    expect(status).to.equal(200);
    expect((await read(service, id))['updated_at']).to.equal(before['updated_at']);
  });

  it('applies the rules of storing', async () => {
    const id = await store(service);
    for (const [body, message] of [
      [{ content: ' ' }, "'content' is required"],
      [{ importance: 2 }, "'importance' must be between 0 and 1"],
      [{ type: 'Banana' }, /'type'/u],
      [{ metadata: [] }, "'metadata' must be an object"],
      [{ timestamp: 'soon' }, 'Invalid timestamp: Invalid ISO timestamp'],
      [{ content: 'x'.repeat(2001) }, /^Content exceeds maximum length/u],
    ] as const) {
      expectProblem(await service.request('PATCH', `/memory/${id}`, { body }), 400, message);
    }
  });

  it('refuses an unknown id, an invalid id and a missing body', async () => {
    expectProblem(
      await service.request('PATCH', `/memory/${ABSENT_MEMORY_ID}`, { body: { importance: 1 } }),
      404,
      'Memory not found',
    );
    expectProblem(
      await service.request('PATCH', '/memory/xyz', { body: { importance: 1 } }),
      400,
      'memory_id must be a valid UUID',
    );
    expectProblem(await service.request('PATCH', `/memory/${ABSENT_MEMORY_ID}`), 400, 'JSON body is required');
  });

  it('loses none of many concurrent changes', async () => {
    const id = await store(service);

    const answers = await Promise.all(
      [{ importance: 0.1 }, { confidence: 0.2 }, { tags: ['x'] }, { metadata: { y: 1 } }].map((body) =>
        service.request('PATCH', `/memory/${id}`, { body }),
      ),
    );

    expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200]);
    expect(await read(service, id)).to.deep.include({
      importance: 0.1,
      confidence: 0.2,
      tags: ['x'],
      metadata: { y: 1 },
    });
  });
});
