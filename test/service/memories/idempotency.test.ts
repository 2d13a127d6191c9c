import { expect } from 'chai';
import { startService } from '../../support/processes/service.js';
import { expectProblem, idsByTag, read, type Service, store } from './memory-fixtures.js';

type Stored = { readonly memory_id: string; readonly query_time_ms: number };

/** The default of a change; a batch waits longer. The vectors of deleted memories do not come. */
const VECTOR_WAIT_MS = 5_000;

describe('Idempotency-Key', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  const post = (path: string, body: unknown, key: string) =>
    service.request('POST', path, { body, headers: { 'Idempotency-Key': key } });

  it('repeats the first answer from the journal and stores once', async () => {
    const body = { content: 'Only once', tags: ['once'], metadata: { a: 1 } };

    const first = await post('/memory', body, 'store-once');
    await service.request('PATCH', `/memory/${(first.body as Stored).memory_id}`, { body: { importance: 1 } });
    const second = await post('/memory', body, 'store-once');

    expect(second.status).to.equal(201);
    expect({ ...(second.body as Stored), query_time_ms: 0 }).to.deep.equal({
      ...(first.body as Stored),
      query_time_ms: 0,
    });
    expect(await idsByTag(service, 'once')).to.have.length(1);
  });

  it('stores one memory for racing requests', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => post('/memory', { content: 'Race', tags: ['race'] }, 'race')),
    );

    expect(answers.map(({ status }) => status)).to.deep.equal(Array.from({ length: 8 }, () => 201));
    expect(new Set(answers.map(({ body }) => (body as Stored).memory_id)).size).to.equal(1);
    expect(await idsByTag(service, 'race')).to.have.length(1);
  });

  it('answers 422 for another body', async () => {
    await post('/memory', { content: 'one' }, 'reused');

    expectProblem(await post('/memory', { content: 'two' }, 'reused'), 422, /Idempotency-Key/u);
  });

  it('does not keep the key of a refused request', async () => {
    expectProblem(await post('/memory', { content: '' }, 'refused'), 400, "'content' is required");

    expect((await post('/memory', { content: 'better' }, 'refused')).status).to.equal(201);
  });

  it('belongs to one operation only', async () => {
    const first = await post('/memory', { content: 'x' }, 'shared');
    const second = await post('/memory/batch', { memories: [{ content: 'x' }] }, 'shared');

    expect([first.status, second.status]).to.deep.equal([201, 201]);
  });

  it('reports that the stored memory was deleted since', async () => {
    const first = await post('/memory', { content: 'Gone' }, 'gone');
    await service.request('DELETE', `/memory/${(first.body as Stored).memory_id}`);

    expectProblem(await post('/memory', { content: 'Gone' }, 'gone'), 409, /deleted since/u);
  });

  it('repeats commands on memories deleted since, without waiting for vectors', async () => {
    const requests = [
      ['POST', '/memory/batch', { memories: [{ content: 'b1' }, { content: 'b2' }] }],
      ['PATCH', '/memory/:id', { content: 'other' }],
    ] as const;
    for (const [method, template, body] of requests) {
      const patched = await store(service);
      const path = template.replace(':id', patched);
      const first = await service.request(method, path, { body, headers: { 'Idempotency-Key': 'erased' } });
      const ids = (first.body as { readonly memory_ids?: readonly string[] }).memory_ids ?? [patched];
      await Promise.all(ids.map((id) => service.request('DELETE', `/memory/${id}`)));
      await service.settled();

      const started = performance.now();
      const second = await service.request(method, path, { body, headers: { 'Idempotency-Key': 'erased' } });

      expect([second.status, performance.now() - started < VECTOR_WAIT_MS], path).to.deep.equal([first.status, true]);
      expect((second.body as { readonly memory_ids?: readonly string[] }).memory_ids ?? [patched]).to.deep.equal(ids);
    }
  });

  it('answers 422 for another request in every command', async () => {
    const [one, two] = [await store(service, { tags: ['first'] }), await store(service, { tags: ['second'] })];
    const pair = { memory1_id: one, memory2_id: two };
    const requests = [
      ['POST', '/memory/batch', { memories: [{ content: 'x' }] }, '/memory/batch', { memories: [{ content: 'y' }] }],
      ['POST', '/associate', { ...pair, type: 'PART_OF' }, '/associate', { ...pair, type: 'LEADS_TO' }],
      ['PATCH', `/memory/${one}`, { importance: 1 }, `/memory/${two}`, { importance: 1 }],
      ['DELETE', '/memory/by-tag?tags=first', undefined, '/memory/by-tag?tags=second', undefined],
      ['DELETE', `/memory/${two}`, undefined, `/memory/${one}`, undefined],
    ] as const;
    for (const [method, path, body, otherPath, otherBody] of requests) {
      const headers = { 'Idempotency-Key': 'one-for-all' };
      expect((await service.request(method, path, { body, headers })).status, `${method} ${path}`).to.be.oneOf([
        200, 201,
      ]);
      expectProblem(await service.request(method, otherPath, { body: otherBody, headers }), 422, /Idempotency-Key/u);
    }
  });

  it('deletes by tag once for racing requests', async () => {
    await service.request('POST', '/memory/batch', {
      body: { memories: Array.from({ length: 250 }, (_, index) => ({ content: `n${index}`, tags: ['crowd'] })) },
    });
    const ask = () =>
      service.request('DELETE', '/memory/by-tag?tags=crowd', { headers: { 'Idempotency-Key': 'crowd' } });

    const answers = await Promise.all(Array.from({ length: 4 }, ask));

    expect(
      answers.map(({ status, body }) => [status, (body as { readonly deleted_count: number }).deleted_count]),
    ).to.deep.equal(Array.from({ length: 4 }, () => [200, 250]));
  });

  it('repeats batches, associations, updates and deletions', async () => {
    const [one, two] = [await store(service), await store(service)];
    const batch = {
      associations: [
        { memory1_id: one, memory2_id: two, type: 'PART_OF' },
        { memory1_id: one, type: 'PART_OF' },
      ],
    };
    const requests = [
      ['POST', '/memory/batch', { memories: [{ content: 'b1' }, { content: 'b2' }] }],
      ['POST', '/associate', { memory1_id: one, memory2_id: two, type: 'LEADS_TO', strength: 0.3 }],
      ['POST', '/associate', batch],
      ['PATCH', `/memory/${one}`, { importance: 0.9 }],
      ['DELETE', `/memory/${two}`, undefined],
    ] as const;
    for (const [index, [method, path, body]] of requests.entries()) {
      const headers = { 'Idempotency-Key': `again-${index}` };
      const first = await service.request(method, path, { body, headers });
      const second = await service.request(method, path, { body, headers });
      const timeless = (answer: unknown) => ({ ...(answer as object), query_time_ms: 0 });
      expect(first.status, JSON.stringify(first.body)).to.be.oneOf([200, 201, 207]);
      expect([second.status, timeless(second.body)], `${method} ${path}`).to.deep.equal([
        first.status,
        timeless(first.body),
      ]);
    }
    const relations = (await read(service, one)).relations as readonly { readonly type: string }[];
    expect(relations.filter(({ type }) => ['LEADS_TO', 'PART_OF'].includes(type))).to.deep.equal([]);
  });
});
