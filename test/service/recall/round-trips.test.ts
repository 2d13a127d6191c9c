/** A recall calls each engine a limited number of times, whatever the number of results. */
import { expect } from 'chai';
import { createCallCounter } from '../../support/checks/call-counter.js';
import { type Service, startService } from '../../support/processes/service.js';

type Calls = { readonly graph: number; readonly vectors: number; readonly embedder: number };

/** One call reads the candidates with their successors. */
const HYDRATION = 1;
/** Two vector passes. Keyword and metadata passes share one graph call. */
const ONE_SEARCH = { graph: 1 + HYDRATION, vectors: 2, embedder: 1 } as const;
/** Without a query: two passes with one call each. */
const LISTED = 2 + HYDRATION;
/** The associations of each result. */
const RELATIONS = 1;
/** Also the contradictions among the results: in current mode alone. */
const PRESENTATION = RELATIONS + 1;
const EXPANSION = 1 + HYDRATION;

type Shape = { readonly named: string; readonly path: string; readonly most: Calls };

/** Each shape of a recall with its largest number of calls. */
const SHAPES: readonly Shape[] = [
  {
    named: 'a query',
    path: 'query=redis+sessions',
    most: { ...ONE_SEARCH, graph: ONE_SEARCH.graph + PRESENTATION },
  },
  {
    named: 'a sentence with identifiers',
    path: 'query=is+redis+in+PAY-4123,+PAY-4124+or+src/sessions/walrus.ts',
    most: { ...ONE_SEARCH, graph: ONE_SEARCH.graph + PRESENTATION },
  },
  {
    named: 'a query in history',
    path: 'query=redis+sessions&state_mode=history',
    most: { graph: ONE_SEARCH.graph + RELATIONS, vectors: 1, embedder: 1 },
  },
  {
    named: 'a query within tags and a window',
    path: 'query=redis&tags=infra&time_query=last+90+days',
    most: { ...ONE_SEARCH, graph: ONE_SEARCH.graph + PRESENTATION },
  },
  {
    named: 'tags alone',
    path: 'tags=infra&sort=updated_desc',
    most: { graph: LISTED + PRESENTATION, vectors: 0, embedder: 0 },
  },
  { named: 'a recall without parameters', path: '', most: { graph: LISTED + PRESENTATION, vectors: 0, embedder: 0 } },
  {
    named: 'an expanded recall',
    path: 'query=redis&expand_relations=true&expand_entities=true',
    most: { ...ONE_SEARCH, graph: ONE_SEARCH.graph + 2 * EXPANSION + PRESENTATION },
  },
  {
    named: 'three queries',
    path: 'queries=redis,walrus,zebra',
    most: { graph: ONE_SEARCH.graph + PRESENTATION, vectors: 6, embedder: 3 },
  },
  {
    named: 'an explained recall',
    path: 'query=redis&explain=00000000-0000-4000-8000-00000000dead',
    most: { ...ONE_SEARCH, graph: ONE_SEARCH.graph + PRESENTATION + 2 },
  },
];

/** Methods that health checks and projectors call. */
const OTHER_CALLS = ['ping', 'close', 'counts', 'count', 'versions', 'upsert'];

describe('round trips of a recall', () => {
  const counters = { graph: createCallCounter(), vectors: createCallCounter(), embedder: createCallCounter() };
  let service: Service;
  before(async () => {
    service = await startService({
      alter: (engines) => ({
        ...engines,
        graph: counters.graph.count(engines.graph),
        vectors: counters.vectors.count(engines.vectors),
        embedder: counters.embedder.count(engines.embedder),
      }),
    });
    await fill(service);
  });
  after(() => service.close());

  it('are counted for each engine', async () => {
    const { calls } = await callsOf('query=walrus&limit=2');
    for (const count of Object.values(calls)) expect(count).to.be.above(0);
  });

  async function callsOf(path: string): Promise<{ readonly calls: Calls; readonly results: number }> {
    for (const counter of Object.values(counters)) counter.take();
    const { status, body } = await service.request('GET', `/recall?${path}`);
    expect(status).to.equal(200);
    const taken = (name: keyof typeof counters): number =>
      counters[name].take().filter((method) => !OTHER_CALLS.includes(method)).length;
    return {
      calls: { graph: taken('graph'), vectors: taken('vectors'), embedder: taken('embedder') },
      results: body.results.length,
    };
  }

  for (const { named, path, most } of SHAPES) {
    for (const limit of [2, 40]) {
      it(`are limited for ${named} with limit ${limit}`, async () => {
        const { calls, results } = await callsOf(`${path}&limit=${limit}`);
        expect(results).to.be.at.least(limit === 2 ? 2 : 20);
        for (const store of Object.keys(most) as (keyof Calls)[])
          expect(calls[store], store).to.be.at.most(most[store]);
      });
    }
  }
});

/**
 * Stores 60 memories with associations in a ring. Each tenth is superseded by the next one, which has no word of the
 * queries.
 */
async function fill(service: Service): Promise<void> {
  const about = ['redis sessions', 'a walrus', 'a zebra'];
  const memories = Array.from({ length: 60 }, (_, index) => ({
    content: index % 10 === 1 ? `Number ${index} stands alone` : `Number ${index} is about ${about.join(' and ')}`,
    tags: ['infra'],
    importance: 0.5,
  }));
  const { body } = await service.request('POST', '/memory/batch', { body: { memories } });
  const ids: string[] = body.memory_ids;
  const associations = ids.map((id, index) => ({
    memory1_id: id,
    memory2_id: ids[(index + 1) % ids.length],
    type: index % 10 === 0 ? 'INVALIDATED_BY' : 'RELATES_TO',
    strength: 0.7,
  }));
  const { status } = await service.request('POST', '/associate', { body: { associations } });
  expect(status).to.equal(201);
  await service.settled();
}
