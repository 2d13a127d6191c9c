/** GET /graph/snapshot: the most important memories and the associations between them, as a stream. */
import { expect } from 'chai';
import type { GraphInspector } from '../../../shared/ports/graph-inspector.js';
import { until } from '../../support/checks/until.js';
import { memory } from '../../support/fixtures/memories.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /graph/snapshot', () => {
  let service: Service;
  const ids: string[] = [];
  before(async () => {
    service = await startService({ variables: { CONSOLIDATION_ARCHIVE_THRESHOLD: '0.05' } });
    for (const [importance, timestamp, type] of [
      [0.9, '2024-01-01', 'Decision'],
      [0.5, '2024-03-01', 'Insight'],
      [0.5, '2024-02-01', 'Decision'],
      [0.1, '2024-04-01', 'Context'],
    ] as const) {
      const body = {
        content: `memory ${ids.length}`,
        importance,
        timestamp,
        type,
        confidence: 0.5,
        metadata: { a: [1] },
      };
      ids.push((await service.request('POST', '/memory', { body })).body.memory_id);
    }
    for (const [one, other, type] of [
      [0, 1, 'LEADS_TO'],
      [1, 0, 'RELATES_TO'],
      [3, 0, 'PART_OF'],
    ] as const)
      await service.request('POST', '/associate', { body: { memory1_id: ids[one], memory2_id: ids[other], type } });
  });
  after(() => service.close());

  const snapshot = async (query = '') => (await service.request('GET', `/graph/snapshot${query}`)).body;
  const numbers = ({ nodes }: { nodes: readonly { content: string }[] }) =>
    nodes.map(({ content }) => content.slice(-1)).join('');

  it('draws the memories, the most important first, and their associations', async () => {
    const body = await snapshot();
    expect(numbers(body)).to.equal('0123');
    expect(body.nodes[0]).to.deep.include({
      id: ids[0],
      color: '#3B82F6',
      radius: 1.85,
      opacity: 0.7,
      metadata: { a: [1] },
    });
    const edge = { source: ids[0], type: 'LEADS_TO', target: ids[1], strength: 0.5, color: '#3B82F6', properties: {} };
    expect(body.edges).to.deep.include({ id: `${ids[0]}-LEADS_TO-${ids[1]}`, ...edge });
    expect(body.stats).to.deep.equal({
      total_nodes: 4,
      total_edges: 3,
      returned_nodes: 4,
      returned_edges: 3,
      sampled: false,
      sample_ratio: 1,
    });
    expect(body.meta).to.include({ archive_threshold: 0.05 });
    expect(body.meta.type_colors.Decision).to.equal('#3B82F6');
  });

  it('cuts at its limit, and says so', async () => {
    const body = await snapshot('?limit=2');
    expect(numbers(body)).to.equal('01');
    expect(body.stats).to.include({ returned_edges: 2, sampled: true, sample_ratio: 0.5 });
    expect((await snapshot('?limit=4')).stats.sampled).to.equal(false);
  });

  it('leaves out the first memories for a client that has them', async () => {
    const edgesOf = ({ edges }: { edges: readonly { id: string }[] }) => edges.map(({ id }) => id);
    const rest = await snapshot('?offset=2');
    expect(numbers(rest)).to.equal('23');
    expect(edgesOf(rest)).to.deep.equal([`${ids[3]}-PART_OF-${ids[0]}`]);
    expect(rest.stats).to.include({ returned_nodes: 2, returned_edges: 1, sampled: false, sample_ratio: 0.5 });
    const next = await snapshot('?offset=1&limit=2');
    expect([numbers(next), edgesOf(next).length, next.stats.sampled]).to.deep.equal(['1', 2, true]);
    for (const query of ['?offset=4', '?offset=99', '?offset=50001', '?offset=2&limit=2'])
      expect(await snapshot(query), query).to.deep.include({ nodes: [], edges: [] });
    const all = await snapshot();
    for (const offset of [0, 1, 2, 3, 4]) {
      const [first, others] = [await snapshot(`?limit=${offset || 1}`), await snapshot(`?offset=${offset || 1}`)];
      expect(numbers(first) + numbers(others)).to.equal(numbers(all));
      expect([...edgesOf(first), ...edgesOf(others)]).to.have.members(edgesOf(all));
    }
  });

  it('selects by importance, type and time', async () => {
    expect(numbers(await snapshot('?min_importance=0.5'))).to.equal('012');
    expect(numbers(await snapshot('?types=Decision,Context,Nonsense'))).to.equal('023');
    expect(numbers(await snapshot('?types=decision'))).to.equal('');
    expect(numbers(await snapshot('?since=2024-02-01'))).to.equal('123');
    const body = await snapshot('?since=2024-01-15T00:00:00Z&types=Decision&min_importance=0.2');
    expect([numbers(body), body.stats.sampled]).to.deep.equal(['2', false]);
  });

  it('uses defaults and bounds in place of values that it cannot read', async () => {
    for (const query of [
      '?limit=0',
      '?limit=50001',
      '?limit=99999999999999999999',
      '?limit=many',
      '?limit=1.5',
      '?limit=',
    ])
      expect(numbers(await snapshot(query)), query).to.equal('0123');
    for (const query of ['?min_importance=high', '?min_importance=-7', '?min_importance=NaN', '?types=,', '?since='])
      expect(numbers(await snapshot(query)), query).to.equal('0123');
    expect(numbers(await snapshot('?min_importance=99'))).to.equal('');
  });

  it('rejects a negative limit, an unreadable time and too many types', async () => {
    for (const [query, part] of [
      ['limit=-1', 'limit must be >= 0'],
      ['limit=-99999999999999999999', 'limit must be >= 0'],
      ['offset=-1', 'offset must be >= 0'],
      ['since=yesterday', "'since' must be an ISO 8601 time"],
      [`since=${'9'.repeat(5_000)}`, "'since' must be an ISO 8601 time"],
      [`types=${'x,'.repeat(51)}`, "'types' must hold at most 50 values"],
      ['types=a%00b', "'types' must not contain"],
    ] as const) {
      const { status, body } = await service.request('GET', `/graph/snapshot?${query}`);
      expect([status, body.message.includes(part)], body.message).to.deep.equal([400, true]);
    }
  });

  it('answers 503 while the graph is down', async () => {
    service.breakers.graph.break();
    const { status, body } = await service.request('GET', '/graph/snapshot');
    service.breakers.graph.mend();
    expect([status, body.message]).to.deep.equal([503, 'Graph database unavailable']);
  });
});

describe('snapshot of a large graph', () => {
  /** Memories are made as they are read. */
  const PAGE_BYTES = 500 * 2_000;
  /** Longer than a page takes on a busy machine. */
  const QUIET_MS = 2_000;
  let service: Service;
  let reads = 0;
  let failsAfter = Infinity;
  const inspector: Pick<GraphInspector, 'mostImportant' | 'totals' | 'associationsWithin'> = {
    totals: async () => ({ memories: new Map([['Context', 60_000]]), associations: new Map() }),
    associationsWithin: async () => [],
    mostImportant: async ({ after, limit }) => {
      reads += 1;
      if (reads > failsAfter) throw new Error('The graph failed in the middle');
      const from = after === null ? 1 : Number(after.id.slice(-12)) + 1;
      return Array.from({ length: limit }, (_, index) => memory(from + index, { content: 'x'.repeat(2_000) }));
    },
  };
  before(async () => {
    service = await startService({
      alter: (engines) => ({ ...engines, inspector: { ...engines.inspector, ...inspector } }),
    });
  });
  after(() => service.close());
  beforeEach(() => {
    reads = 0;
    failsAfter = Infinity;
  });

  it('waits for a slow client, and ends when it hangs up', async () => {
    const hangUp = new AbortController();
    const { body } = await fetch(`${service.url}/graph/snapshot?limit=0`, { signal: hangUp.signal });
    const reader = body?.getReader();
    await reader?.read();
    let [before, quietSince] = [-1, 0];
    await until('the service waits for its client', () => {
      if (reads !== before) [before, quietSince] = [reads, performance.now()];
      return performance.now() - quietSince > QUIET_MS;
    });
    expect(reads * PAGE_BYTES).to.be.below(20_000_000);
    hangUp.abort();
    const { status } = await service.request('GET', '/health');
    expect(status).to.equal(200);
    expect(reads).to.be.at.most(before + 1);
  });

  it('cuts the connection when the graph fails in the middle', async () => {
    failsAfter = 3;
    const answer = await fetch(`${service.url}/graph/snapshot?limit=0`);
    expect(answer.status).to.equal(200);
    const text = await answer.text().catch((error: unknown) => error);
    expect(text).to.be.instanceOf(Error);
  });

  it('runs eight at the same time, and answers 503 to a ninth', async () => {
    const hangUp = new AbortController();
    const { signal } = hangUp;
    const open = await Promise.all(
      Array.from({ length: 8 }, () => fetch(`${service.url}/graph/snapshot?limit=0`, { signal })),
    );
    const one = () => service.request('GET', '/graph/snapshot?limit=1');
    const ninth = await one();
    expect([ninth.status, ninth.headers.get('retry-after')]).to.deep.equal([503, '5']);
    hangUp.abort();
    await Promise.allSettled(open.map((answer) => answer.text()));
    await until('the others have ended', async () => (await one()).status === 200);
  });
});

describe('snapshot of as many memories as its pages hold', () => {
  it('is whole JSON, and knows its cut', async () => {
    const service = await startService();
    const memories = Array.from({ length: 500 }, (_, number) => ({ content: `Page ${number}` }));
    const counts = [];
    for (const limit of [1_000, 500]) {
      const { status } = await service.request('POST', '/memory/batch', { body: { memories } });
      const { nodes, stats } = (await service.request('GET', `/graph/snapshot?limit=${limit}`)).body;
      counts.push([status, nodes.length, stats.sampled]);
    }
    await service.close();
    expect(counts).to.deep.equal([
      [201, 500, false],
      [201, 500, true],
    ]);
  });
});
