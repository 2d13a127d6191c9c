import { expect } from 'chai';
import { startService } from '../../support/processes/service.js';
import { expectProblem, idsByTag, read, type Service } from './memory-fixtures.js';

describe('POST /memory/batch', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  const post = (body: unknown) => service.request('POST', '/memory/batch', { body });

  it('stores every item in order and waits for their vectors', async () => {
    const contents = ['Otters hold hands', 'Beavers build dams', 'Moles dig tunnels'];

    const { status, body } = await post({ memories: contents.map((content) => ({ content, tags: ['zoo'] })) });

    expect(status).to.equal(201);
    expect(body).to.include({ status: 'success', stored: 3, qdrant: 'stored (3)', enrichment: 'queued' });
    const { memory_ids: ids } = body as { readonly memory_ids: readonly string[] };
    expect(await Promise.all(ids.map(async (id) => (await read(service, id))['content']))).to.deep.equal(contents);
  });

  it('stores nothing of a batch with an invalid item, and names it', async () => {
    const faults = [
      [{ tags: ['none'] }, "Memory at index 1 missing 'content'"],
      ['text', 'Memory at index 1 must be an object'],
      [{ content: 'x', tags: ['none'], timestamp: 'soon' }, 'Memory at index 1 is invalid: Invalid ISO timestamp'],
      [
        { content: 'x', tags: ['none'], importance: 3 },
        "Memory at index 1 is invalid: 'importance' must be between 0 and 1",
      ],
      [{ content: 'x'.repeat(2001) }, 'Memory at index 1 exceeds content limit (2001/2000)'],
    ] as const;
    for (const [item, message] of faults) {
      expectProblem(await post({ memories: [{ content: 'good', tags: ['none'] }, item] }), 400, message);
    }
    expect(await idsByTag(service, 'none')).to.deep.equal([]);
  });

  it('refuses a body that is not a batch', async () => {
    expectProblem(await post([{ content: 'x' }]), 400, "JSON body with 'memories' array required");
    expectProblem(await post(undefined), 400, "JSON body with 'memories' array required");
    for (const body of [{}, { memories: [] }, { memories: {} }])
      expectProblem(await post(body), 400, "'memories' must be a non-empty array");
    expectProblem(
      await post({ memories: Array.from({ length: 501 }, () => ({ content: 'x' })) }),
      400,
      'Batch size limit is 500 memories per request',
    );
  });

  it('accepts 500 items', async () => {
    const memories = Array.from({ length: 500 }, (_, index) => ({
      content: `fact ${index}`,
      type: 'Insight',
      tags: ['five-hundred'],
    }));

    const { status, body } = await post({ memories });

    expect(status).to.equal(201);
    expect(body).to.include({ stored: 500 });
    expect(new Set((body as { readonly memory_ids: readonly string[] }).memory_ids).size).to.equal(500);
  });

  it('ignores fields of an item that a batch does not accept', async () => {
    const { body } = await post({
      memories: [{ content: 'x', id: 'mine', t_invalid: '2020-01-01', embedding: [1], timestamp: '2024-01-01' }],
    });

    const [id = ''] = (body as { readonly memory_ids: readonly string[] }).memory_ids;
    const memory = await read(service, id);
    expect(memory).to.include({ timestamp: '2024-01-01T00:00:00+00:00', t_valid: '2024-01-01T00:00:00+00:00' });
    expect(memory).to.not.have.property('t_invalid');
  });
});
