/** Recall brings memories in by what their metadata says, whatever their words, under the same filters and states as all others. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

describe('recall by metadata', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function store(content: string, tag: string, metadata: Record<string, unknown>, fields: Record<string, unknown> = {}): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, tags: [tag], metadata, ...fields } });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.memory_id;
  }
  async function recall(parameters: Record<string, string>) {
    const answer = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  }
  type Result = { readonly id: string; readonly score_components: { readonly metadata: number; readonly keyword: number } };
  async function admitted(parameters: Record<string, string>): Promise<readonly string[]> {
    const { results } = await recall(parameters);
    return results.filter(({ score_components: { metadata } }: Result) => metadata > 0).map(({ id }: Result) => id);
  }

  it('finds what the words of a memory do not say, and names how', async () => {
    const id = await store('The nightly build takes nine minutes', 'found', { provider: 'railway', note: 'harbour' });
    const { results } = await recall({ query: 'provider railway', tags: 'found' });
    const [result] = results;
    expect(result.id).to.equal(id);
    expect(result.score_components).to.include({ metadata: 1, keyword: 0, evidence: 1 });
    expect(await admitted({ query: 'harbour', tags: 'found' })).to.deep.equal([]);
  });

  it('follows a change of the metadata, and a deletion', async () => {
    const id = await store('Something about the pipeline', 'changed', { project: 'borealis' });
    expect(await admitted({ query: 'project borealis' })).to.deep.equal([id]);
    await service.request('PATCH', `/memory/${id}`, { body: { metadata: { project: 'meridian' } } });
    expect(await admitted({ query: 'project borealis' })).to.deep.equal([]);
    expect(await admitted({ query: 'project meridian' })).to.deep.equal([id]);
    await service.request('DELETE', `/memory/${id}`);
    expect(await admitted({ query: 'project meridian' })).to.deep.equal([]);
  });

  it('keeps to tags, exclusions and the window', async () => {
    const inside = await store('A quiet afternoon', 'scope:inside', { tool: 'zeppelin' }, { timestamp: '2024-03-05T10:00:00Z' });
    const outside = await store('A loud evening', 'scope:outside', { tool: 'zeppelin' }, { timestamp: '2024-05-05T10:00:00Z' });
    expect(await admitted({ query: 'tool zeppelin' })).to.have.members([inside, outside]);
    expect(await admitted({ query: 'tool zeppelin', tags: 'scope:inside' })).to.deep.equal([inside]);
    expect(await admitted({ query: 'tool zeppelin', exclude_tags: 'scope:in' })).to.deep.equal([outside]);
    expect(await admitted({ query: 'tool zeppelin', time_query: 'march 2024' })).to.deep.equal([inside]);
  });

  it('shows the successor of what has lapsed', async () => {
    const old = await store('Rows are locked one by one', 'lapsed', { repo: 'acme/quagga' }, { t_invalid: '2024-01-01T00:00:00Z' });
    const successor = await store('All locks are taken at once', 'lapsed', {});
    await service.request('POST', '/associate', { body: { memory1_id: old, memory2_id: successor, type: 'INVALIDATED_BY', strength: 0.9 } });
    const { results } = await recall({ query: 'repo acme/quagga', tags: 'lapsed' });
    expect(results.map(({ id }: Result) => id)).to.deep.equal([successor]);
    expect(await admitted({ query: 'repo acme/quagga', tags: 'lapsed', state_mode: 'history' })).to.deep.equal([old]);
  });

  it('admits ten at most, and as many as are asked for', async () => {
    for (let number = 1; number <= 12; number += 1) await store(`Observation ${number} of the sky`, 'many', { source_agent: 'stargazer' });
    expect(await admitted({ query: 'source agent stargazer', limit: '50' })).to.have.length(10);
    expect(await admitted({ query: 'source agent stargazer', limit: '3' })).to.have.length(3);
  });

  it('has no part in a list without a query', async () => {
    await store('Nobody asked', 'listed', { tool: 'kaleidoscope' });
    const { results } = await recall({ query: '*', tags: 'listed' });
    expect(results.map(({ score_components: { metadata } }: Result) => metadata)).to.deep.equal([0]);
  });
});
