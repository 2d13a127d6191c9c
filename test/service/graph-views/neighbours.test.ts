/** GET /graph/neighbors/:id: by associations of all types, and by meaning. */
import { expect } from 'chai';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { type Service, startService } from '../../support/processes/service.js';

type Drawn = { readonly id: string; readonly content: string; readonly similarity?: number };

describe('GET /graph/neighbors/:id', () => {
  let service: Service;
  /** One chain a - b - c - d, and memories that share words with a. */
  const ids: Record<string, string> = {};
  before(async () => {
    service = await startService({ embedder: createWordHashEmbedder() });
    for (const [name, content, importance] of [
      ['a', 'red apples grow in autumn', 0.5],
      ['b', 'bridges of stone', 0.4],
      ['c', 'cellos sound deep', 0.9],
      ['d', 'dust settles slowly', 1],
      ['e', 'red apples ripen in autumn', 0.4],
    ] as const) {
      const body = { content, importance, confidence: 0.5, type: 'Insight' };
      ids[name] = (await service.request('POST', '/memory', { body })).body.memory_id;
    }
    for (const [one, other, type] of [
      ['b', 'a', 'LEADS_TO'],
      ['b', 'c', 'RELATES_TO'],
      ['d', 'c', 'PART_OF'],
    ] as const)
      await service.request('POST', '/associate', { body: { memory1_id: ids[one], memory2_id: ids[other], type } });
    await service.settled();
  });
  after(() => service.close());
  afterEach(() => Object.values(service.breakers).forEach((breaker) => breaker.mend()));

  const neighbours = async (query = '', id = ids['a'] ?? '') =>
    (await service.request('GET', `/graph/neighbors/${id}${query}`)).body;
  const letters = (memories: readonly Drawn[]) => memories.map(({ content }) => content[0]).join('');

  it('draws the memory, its neighbours and their associations', async () => {
    const body = await neighbours('?include_semantic=false');
    expect(body.center).to.include({ id: ids['a'], content: 'red apples grow in autumn', color: '#F97316' });
    expect(body.graph_neighbors).to.have.length(1);
    const { timestamp } = (await service.request('GET', `/memory/${ids['b']}`)).body.memory;
    expect(body.graph_neighbors[0]).to.include({
      id: ids['b'],
      timestamp,
      color: '#F97316',
      radius: 1.1,
      opacity: 0.7,
    });
    const edge = { source: ids['b'], target: ids['a'], type: 'LEADS_TO', strength: 0.5, color: '#3B82F6' };
    expect(body.edges).to.deep.equal([{ id: `${ids['b']}-LEADS_TO-${ids['a']}`, ...edge }]);
    expect(body.meta).to.include({ depth: 1, truncated: false, semantic: 'off' });
  });

  it('follows up to three associations, the nearest first', async () => {
    expect(letters((await neighbours('?depth=2')).graph_neighbors)).to.equal('bc');
    const body = await neighbours('?depth=99');
    expect([letters(body.graph_neighbors), body.meta.depth, body.edges.length]).to.deep.equal(['bcd', 3, 3]);
  });

  it('finds memories by meaning without the memory itself', async () => {
    const { semantic_neighbors: similar, meta } = await neighbours('?semantic_limit=1');
    expect(similar.map(({ id }: Drawn) => id)).to.deep.equal([ids['e']]);
    expect(similar[0].similarity).to.be.within(0.5, 0.99);
    expect(meta.semantic).to.equal('searched');
    const all = await neighbours('?semantic_limit=999');
    expect(all.semantic_neighbors).to.have.length(4);
  });

  it('replaces values that it cannot read by defaults and bounds', async () => {
    for (const [query, depth, found] of [
      ['?depth=deep&semantic_limit=many&include_semantic=', 1, 4],
      ['?depth=-5&semantic_limit=-5', 1, 1],
      ['?depth=1e99&semantic_limit=0&include_semantic=TRUE', 1, 1],
      ['?include_semantic=1', 1, 0],
      ['?depth=99999999999999999999&include_semantic=false', 3, 0],
      [`?depth=${'9'.repeat(400)}&include_semantic=${'x'.repeat(5_000)}`, 1, 0],
    ] as const) {
      const body = await neighbours(query);
      const name = query.slice(0, 40);
      expect([body.meta.depth, body.semantic_neighbors.length], name).to.deep.equal([depth, found]);
    }
  });

  it('answers 404 for an unknown memory and 400 for another text', async () => {
    const unknown = '00000000-0000-4000-8000-000000000000';
    const { status, body } = await service.request('GET', `/graph/neighbors/${unknown}`);
    expect([status, body.message]).to.deep.equal([404, `Memory ${unknown} not found`]);
    for (const text of ['no-id', '%00', '%zz', 'x'.repeat(5_000)])
      expect((await service.request('GET', `/graph/neighbors/${text}`)).status, text.slice(0, 9)).to.equal(400);
  });

  it('reports a vector index that is down, with the part of the graph', async () => {
    service.breakers.vectors.break();
    const body = await neighbours();
    expect([letters(body.graph_neighbors), body.semantic_neighbors]).to.deep.equal(['b', []]);
    expect(body.meta.semantic).to.equal('unavailable');
  });

  it('answers 503 while the graph is down', async () => {
    service.breakers.graph.break();
    const { status, body } = await service.request('GET', `/graph/neighbors/${ids['a']}`);
    expect([status, body.message]).to.deep.equal([503, 'Graph database unavailable']);
  });

  it('draws a hundred neighbours of a hub and says that there are more', async () => {
    const hub = (await service.request('POST', '/memory', { body: { content: 'hub' } })).body.memory_id as string;
    const memories = Array.from({ length: 150 }, (_, at) => ({ content: `spoke ${at}`, importance: 0.1 }));
    const { memory_ids: spokes } = (await service.request('POST', '/memory/batch', { body: { memories } })).body;
    const associations = (spokes as string[]).map((id) => ({ memory1_id: hub, memory2_id: id, type: 'PART_OF' }));
    await service.request('POST', '/associate', { body: { associations } });
    for (const depth of [1, 3]) {
      const body = await neighbours(`?depth=${depth}`, hub);
      expect([body.graph_neighbors.length, body.edges.length, body.meta.truncated]).to.deep.equal([100, 100, true]);
    }
  });

  it('draws the strongest neighbours of a hub by order=strength', async () => {
    const hub = (await service.request('POST', '/memory', { body: { content: 'center' } })).body.memory_id as string;
    const memories = Array.from({ length: 120 }, (_, at) => ({ content: `ray ${at}`, importance: at / 120 }));
    const { memory_ids: rays } = (await service.request('POST', '/memory/batch', { body: { memories } })).body;
    const associations = (rays as string[]).map((id, at) => ({
      memory1_id: hub,
      memory2_id: id,
      type: 'PART_OF',
      strength: 1 - at / 120,
    }));
    await service.request('POST', '/associate', { body: { associations } });
    const found = async (query: string) =>
      (await neighbours(query, hub)).graph_neighbors.map(({ content }: Drawn) => content);
    expect((await found('?order=strength')).slice(0, 3)).to.deep.equal(['ray 0', 'ray 1', 'ray 2']);
    expect((await found('?order=other')).slice(0, 3)).to.deep.equal(['ray 119', 'ray 118', 'ray 117']);
  });
});
