/** `consistent_with`: a read that starts when the index and the graph show a write, and reports when they do not. */
import { expect } from 'chai';
import { RECEIPT_HEADER } from '../../../shared/contract/commands.js';
import { type Service, startService } from '../../support/processes/service.js';

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
      expect(body.consistency).to.deep.include({ position: Number(position), index: true, graph: true });
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
    expect(body.consistency).to.include({ position: Number(position), graph: true });
    expect(body.memories.map((memory: { id: string }) => memory.id)).to.contain(id);
  });

  it('is a plain read without the parameter', async () => {
    for (const path of ['/recall?query=cat', '/memory/by-tag?tags=consistent', '/recall?query=cat&consistent_with=']) {
      expect((await service.request('GET', path)).body, path).to.not.have.property('consistency');
    }
  });

  for (const position of ['x', '-1', '1.5', '9007199254740991', '9007199254740993', '99999999999999999999']) {
    it(`rejects the position ${position}`, async () => {
      for (const path of ['/recall?query=cat', '/memory/by-tag?tags=consistent']) {
        const { status, body } = await service.request('GET', `${path}&consistent_with=${position}`);
        expect([status, body.field]).to.deep.equal([400, 'consistent_with']);
        expect(body.message).to.contain("'consistent_with'");
      }
    });
  }
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
    expect(body.consistency).to.include({ position: Number(position), index: false, graph: true });
    expect(body.consistency.waited_ms).to.be.below(10_000);
    expect(body.count).to.equal(1);
  });
});
