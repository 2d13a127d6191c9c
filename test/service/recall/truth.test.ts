/** Recall returns the current content of the graph, even when an index is older, and merges equal content. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('recall of current data', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function store(
    content: string,
    tags: readonly string[],
    fields: Record<string, unknown> = {},
  ): Promise<string> {
    return (await service.request('POST', '/memory', { body: { content, tags, ...fields } })).body.memory_id;
  }
  async function results(parameters: Record<string, string>) {
    return (await service.request('GET', `/recall?${new URLSearchParams(parameters)}`)).body.results;
  }

  it('finds a new memory immediately by words and tags', async () => {
    const id = await store('A zebra crossed the road', ['animals']);
    expect((await results({ query: 'zebra' }))[0].id).to.equal(id);
    expect((await results({ tags: 'animals' }))[0].id).to.equal(id);
  });

  it('finds an updated memory by its new words', async () => {
    const id = await store('The meeting is on Monday', ['meeting']);
    await service.request('PATCH', `/memory/${id}`, { body: { content: 'The meeting is on Thursday' } });
    const [result] = await results({ query: 'thursday', tags: 'meeting' });
    expect(result.memory.content).to.equal('The meeting is on Thursday');
  });

  it('never returns a deleted memory', async () => {
    const id = await store('Delete this walrus', ['gone']);
    await service.settled();
    await service.request('DELETE', `/memory/${id}`);
    expect(await results({ query: 'walrus', tags: 'gone' })).to.deep.equal([]);
  });

  it('uses updated metadata immediately', async () => {
    const id = await store('Something about the pipeline', ['changed'], { metadata: { project: 'borealis' } });
    // The vector may also find the memory, or not yet, so only the metadata component counts.
    const isMatched = async (query: string): Promise<boolean> =>
      (await results({ query, tags: 'changed' })).some(
        (result: { score_components: { metadata: number } }) => result.score_components.metadata === 1,
      );
    expect(await isMatched('project borealis')).to.equal(true);
    await service.request('PATCH', `/memory/${id}`, { body: { metadata: { project: 'meridian' } } });
    expect([await isMatched('project borealis'), await isMatched('project meridian')]).to.deep.equal([false, true]);
  });

  it('returns a memory again when its t_invalid is removed', async () => {
    const id = await store('Back again', ['back'], { t_invalid: '2020-01-01T00:00:00Z' });
    expect(await results({ query: 'back', tags: 'back' })).to.deep.equal([]);
    await service.request('PATCH', `/memory/${id}`, { body: { t_invalid: null } });
    expect((await results({ query: 'back', tags: 'back' }))[0].id).to.equal(id);
  });

  it('orders by an update immediately', async () => {
    const older = await store('Changed last', ['order'], { timestamp: '2020-01-01' });
    const newer = await store('Never changed', ['order'], { timestamp: '2020-01-02' });
    const order = async (): Promise<string[]> =>
      (await results({ tags: 'order', sort: 'time_desc' })).map((result: { id: string }) => result.id);
    expect(await order()).to.deep.equal([newer, older]);
    await service.request('PATCH', `/memory/${older}`, { body: { importance: 0.95 } });
    expect(await order()).to.deep.equal([older, newer]);
  });

  it('does not expand to a deleted memory', async () => {
    const seed = await store('The barn is red', ['barn']);
    const deleted = await store('The barn was sold', []);
    await service.request('POST', '/associate', {
      body: { memory1_id: seed, memory2_id: deleted, type: 'RELATES_TO', strength: 0.8 },
    });
    expect(await results({ tags: 'barn', expand_relations: 'true' })).to.have.length(2);
    await service.request('DELETE', `/memory/${deleted}`);
    expect(await results({ tags: 'barn', expand_relations: 'true' })).to.have.length(1);
  });

  it('merges memories with the same content', async () => {
    const first = await store('Use **pnpm** here!', ['same']);
    const second = await store('use pnpm here', ['same']);
    const [result, ...others] = await results({ query: 'pnpm', tags: 'same' });
    expect(others).to.deep.equal([]);
    expect(result.deduped_from).to.deep.equal([first, second].sort());
  });

  it('shows at most five outgoing associations', async () => {
    // The oldest timestamp and a low confidence keep enrichment from adding associations to this memory.
    const source = await store('The hub of it', ['hub'], {
      timestamp: '2001-01-01T00:00:00Z',
      confidence: 0.3,
      type: 'Context',
    });
    const targets: string[] = [];
    for (let number = 1; number <= 6; number += 1) {
      const target = await store(`Spoke ${number} of many`, ['spoke']);
      await service.request('POST', '/associate', {
        body: { memory1_id: source, memory2_id: target, type: 'LEADS_TO', strength: 0.5 },
      });
      targets.push(target);
    }
    const [result] = await results({ tags: 'hub' });
    expect(result.relations).to.have.length(5);
    for (const relation of result.relations) {
      expect(relation).to.include({ type: 'LEADS_TO', direction: 'outgoing', strength: 0.5 });
      expect(targets).to.include(relation.memory.id);
    }
    const [spoke] = await results({ tags: 'spoke' });
    expect(spoke.relations.filter(({ type }: { type: string }) => type === 'LEADS_TO')).to.deep.equal([]);
  });

  it('updates last_accessed after the reply', async () => {
    const id = await store('Remember the access', ['accessed'], { last_accessed: '2020-01-01T00:00:00Z' });
    const [result] = await results({ tags: 'accessed' });
    expect(result.memory.last_accessed).to.equal('2020-01-01T00:00:00+00:00');
    await until('last_accessed is updated', async () => {
      const [again] = (await service.request('GET', '/memory/by-tag?tags=accessed')).body.memories;
      return again.id === id && again.last_accessed > '2024-01-01';
    });
  });
});
