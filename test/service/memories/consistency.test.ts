/**
 * Reads that wait for a write: a recall for the writes before it, and with `consistent_with` for one position. The
 * reply reports a part that does not show it.
 */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { ofAnotherHistory, positionIn } from '../../support/checks/position-in.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const READS = ['/recall?query=cat', '/memory/by-tag?tags=consistent'];

describe('read with consistent_with', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { RECALL_CONSISTENT_WAIT_MS: '20000' } });
  });
  after(() => service.close());

  const store = async (content: string): Promise<{ readonly id: string; readonly position: string }> => {
    const { headers, body } = await service.request('POST', '/memory', { body: { content, tags: ['consistent'] } });
    return { id: body.memory_id, position: headers.get(RECEIPT_HEADER) ?? '' };
  };

  it('finds each memory by meaning immediately after it is stored', async () => {
    for (const [content, question] of [
      ['The cat sleeps on the warm windowsill', 'pet'],
      ['Our invoices are due in thirty days', 'payment'],
      ['The bridge was closed by the flood', 'river'],
    ] as const) {
      const { id, position } = await store(content);
      const { status, body } = await service.request(
        'GET',
        `/recall?query=${question}&limit=100&adaptive_floor=false&consistent_with=${position}`,
      );
      expect(status).to.equal(200);
      expect(body.consistency).to.deep.include({ position: positionIn(position), index: true, graph: true });
      expect(
        body.results.find((result: { id: string }) => result.id === id)?.score_components.vector,
        content,
      ).to.be.above(0);
    }
  });

  it('does not wait for the index when a list does not read it', async () => {
    const { id, position } = await store('Listed');
    const { body } = await service.request(
      'GET',
      `/memory/by-tag?tags=consistent&limit=200&consistent_with=${position}`,
    );
    expect(body.consistency).to.include({ position: positionIn(position), graph: true });
    expect(body.memories.map((memory: { id: string }) => memory.id)).to.contain(id);
  });

  it('is a plain read without the parameter', async () => {
    await service.settled();
    for (const path of ['/recall?query=cat', '/memory/by-tag?tags=consistent', '/recall?query=cat&consistent_with=']) {
      expect((await service.request('GET', path)).body, path).to.not.have.property('consistency');
    }
  });

  it('takes a plain number, and refuses a receipt of another history', async () => {
    const { position } = await store('Stored in this history');
    for (const path of READS) {
      const plain = await service.request('GET', `${path}&consistent_with=${positionIn(position)}`);
      expect(plain.body.consistency).to.include({ position: positionIn(position), graph: true });
      const { status, body } = await service.request('GET', `${path}&consistent_with=${ofAnotherHistory(position)}`);
      expect([status, body.field]).to.deep.equal([400, 'consistent_with']);
      expect(body.message).to.equal(
        "'consistent_with' belongs to another history of this service: leave it out, or take it from Memory-Position of a later write",
      );
    }
  });

  for (const position of [
    'x',
    '-1',
    '1.5',
    'abcdef01.',
    'abcdef01.-1',
    'abcdef0.1',
    '9007199254740991',
    '9007199254740993',
    '99999999999999999999',
  ]) {
    it(`rejects the position ${position}`, async () => {
      for (const path of READS) {
        const { status, body } = await service.request('GET', `${path}&consistent_with=${position}`);
        expect([status, body.field]).to.deep.equal([400, 'consistent_with']);
        expect(body.message).to.contain("'consistent_with'");
      }
    });
  }
});

describe('recall after a write', () => {
  let service: Service;
  beforeEach(async () => {
    service = await startService({ variables: { RECALL_FRESH_WAIT_MS: '20000', ADMIN_API_TOKEN: 'admin-token' } });
  });
  afterEach(() => service.close());

  const store = async (content: string): Promise<string> =>
    (await service.request('POST', '/memory', { body: { content } })).body.memory_id;
  const recall = async (parameters: string) =>
    (await service.request('GET', `/recall?limit=50&adaptive_floor=false&${parameters}`)).body;
  const found = (body: { readonly results: readonly { readonly id: string }[] }, id: string) =>
    body.results.find((result) => result.id === id);

  it('finds a memory by meaning and by its own word in the next request', async () => {
    for (const [content, question, other, word] of [
      ['The cat sleeps on the warm windowsill', 'pet', 'Ask the baker for qx17', 'qx17'],
      ['Our invoices are due in thirty days', 'payment', 'A violin needs zw82 strings', 'zw82'],
      ['The bridge was closed by the flood', 'river', 'Lamp vk93 stands in the hall', 'vk93'],
    ] as const) {
      const id = await store(content);
      const byMeaning = await recall(`query=${question}`);
      expect(byMeaning.consistency ?? { index: true, graph: true }).to.include({ index: true, graph: true });
      expect(found(byMeaning, id), content).to.have.nested.property('score_components.vector').above(0);
      const named = await store(other);
      expect(found(await recall(`query=${word}`), named), word)
        .to.have.nested.property('score_components.vector')
        .above(0);
    }
  });

  it('finds a change and a deletion in the next request', async () => {
    const id = await store('The cat sleeps on the warm windowsill');
    await service.request('PATCH', `/memory/${id}`, { body: { content: 'Our invoices are due in thirty days' } });
    expect(found(await recall('query=payment'), id))
      .to.have.nested.property('score_components.vector')
      .above(0);
    await service.request('DELETE', `/memory/${id}`);
    expect(found(await recall('query=payment'), id)).to.equal(undefined);
  });

  it('reports nothing when nothing was pending, and for a list', async () => {
    await store('The cat sleeps on the warm windowsill');
    expect(await recall('sort=time_desc'), 'a list reads no index').to.not.have.property('consistency');
    await service.settled();
    expect(await recall('query=pet')).to.not.have.property('consistency');
  });

  it('does not wait for an indexer that is paused, and reports index false', async () => {
    const headers = { 'x-admin-token': 'admin-token' };
    await service.request('POST', '/admin/projectors/vector-indexer/pause', { headers });
    await until('the indexer is paused', async () => {
      const { body } = await service.request('GET', '/admin/projectors', { headers });
      const { instances } = body.projectors.find(({ name }: { name: string }) => name === 'vector-indexer');
      return instances.every(({ status }: { status: string }) => status === 'paused');
    });
    const id = await store('Known by its words');
    const body = await recall('query=words');
    expect(found(body, id)).to.not.equal(undefined);
    expect(body.consistency).to.include({ index: false, graph: true });
    expect(body.consistency.waited_ms).to.be.below(10_000);
  });
});

describe('recall after a write without a wait', () => {
  it('reports nothing, also when it cannot show the write', async () => {
    const service = await startService({ variables: { PROJECTORS: 'access-recorder', RECALL_FRESH_WAIT_MS: '0' } });
    await service.request('POST', '/memory', { body: { content: 'Known by its words' } });
    const { body } = await service.request('GET', '/recall?query=words');
    await service.close();
    expect(body.count).to.equal(1);
    expect(body).to.not.have.property('consistency');
  });

  it('ends after its limit for an index that does not arrive', async () => {
    const service = await startService({ variables: { RECALL_FRESH_WAIT_MS: '50' } });
    service.breakers.embedder.break();
    await service.request('POST', '/memory', { body: { content: 'Known by its words' } });
    const { body } = await service.request('GET', '/recall?query=words');
    await service.close();
    expect(body.count).to.equal(1);
    expect(body.consistency).to.include({ index: false, graph: true });
  });
});

describe('read with consistent_with without an indexer', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { PROJECTORS: 'access-recorder', RECALL_CONSISTENT_WAIT_MS: '20000' } });
  });
  after(() => service.close());

  it('does not wait and reports index false', async () => {
    const position = (
      await service.request('POST', '/memory', { body: { content: 'Known by its words' } })
    ).headers.get(RECEIPT_HEADER);
    const { body } = await service.request('GET', `/recall?query=words&consistent_with=${position}`);
    expect(body.consistency).to.include({ position: positionIn(position), index: false, graph: true });
    expect(body.consistency.waited_ms).to.be.below(10_000);
    expect(body.count).to.equal(1);
  });
});
