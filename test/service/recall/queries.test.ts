/**
 * Several queries in one recall: which queries run, how many results each contributes, and how the reply names them.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('several queries', () => {
  let service: Service;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService();
    ids = {
      pool: await store('Chose PgBouncer for connection pooling', 'project'),
      cache: await store('Redis caches the session tokens', 'project'),
      queue: await store('Kafka carries the events of billing', 'project'),
      coffee: await store('The espresso machine needs descaling', 'kitchen'),
    };
    await service.settled();
  });
  after(() => service.close());

  async function store(content: string, tag: string): Promise<string> {
    return (
      await service.request('POST', '/memory', {
        body: { content, tags: [tag], type: 'Decision', timestamp: '2020-01-01' },
      })
    ).body.memory_id;
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  type Result = { readonly id: string; readonly final_score: number; readonly _query: string };
  const idsOf = ({ results }: { results: readonly Result[] }): readonly string[] => results.map(({ id }) => id);

  it('returns the best of each query once and names the query', async () => {
    const body = await recall('queries=connection+pooling&queries=session+tokens,billing+events&limit=3');
    expect(idsOf(body)).to.have.members([ids['pool'], ids['cache'], ids['queue']]);
    expect(body).to.deep.include({
      query: '',
      queries: ['connection pooling', 'session tokens', 'billing events'],
      count: 3,
      sort: 'score',
    });
    expect(body).to.not.have.property('keywords');
    const queryOf = new Map(body.results.map(({ id, _query }: Result) => [id, _query]));
    expect(queryOf.get(ids['cache'])).to.equal('session tokens');
    expect(queryOf.get(ids['queue'])).to.equal('billing events');
  });

  it('runs the queries instead of the single query', async () => {
    const body = await recall('query=espresso&queries=session+tokens&per_query_limit=1&auto_decompose=true');
    expect(body).to.deep.include({ query: 'espresso', queries: ['session tokens'], dedup_removed: 0 });
    expect(idsOf(body)).to.deep.equal([ids['cache']]);
  });

  it('counts duplicates between queries in dedup_removed', async () => {
    const counts = await Promise.all(
      ['pooling', 'tokens'].map(async (query) => (await recall(`query=${query}&limit=3&adaptive_floor=false`)).count),
    );
    const both = await recall('queries=pooling,tokens&limit=3&per_query_limit=3&adaptive_floor=false');
    const union = await recall('queries=pooling,tokens&limit=50&per_query_limit=3&adaptive_floor=false');
    expect(both.dedup_removed).to.equal(counts[0] + counts[1] - union.count);
    const twice = await recall('queries=tokens&queries=tokens&limit=3&adaptive_floor=false');
    expect(twice.dedup_removed).to.equal(3);
  });

  it('scores one entry of queries like a single query', async () => {
    const scores = ({ results }: { results: readonly Result[] }) =>
      results.map(({ id, final_score }) => [id, final_score]);
    expect(scores(await recall('queries=session+tokens'))).to.deep.equal(scores(await recall('query=session+tokens')));
  });

  it('gives a memory the same score by one query alone and among several', async () => {
    const all = 'limit=50&adaptive_floor=false';
    const alone = await Promise.all(
      ['session+tokens', 'tokens', 'billing'].map((query) => recall(`query=${query}&${all}`)),
    );
    const scores = new Map<string, number>();
    for (const { results } of alone)
      for (const { id, final_score } of results as readonly Result[])
        scores.set(id, Math.max(final_score, scores.get(id) ?? 0));
    const { results } = await recall(`queries=session+tokens,tokens,billing&${all}`);
    const together = results.map(({ id, final_score }: Result) => [id, final_score]);
    expect(new Map(together)).to.deep.equal(scores);
  });

  it('has a score that is the sum of the components of the contract', async () => {
    const { results } = await recall('query=where+do+session+tokens+of+billing+go&auto_decompose=true&limit=10');
    expect(results.length).to.be.above(1);
    for (const { final_score, score_components: part } of results) {
      const worth = 0.1 * part.importance + 0.05 * part.confidence + 0.1 * part.recency;
      const match = 0.35 * (part.vector + part.keyword + part.metadata) + 0.2 * (part.tag + part.exact);
      expect(final_score).to.be.closeTo(worth + match + 0.25 * part.relation, 0.00001);
    }
  });

  it('uses them for recency, scope fallback and explained terms', async () => {
    expect((await recall('queries=latest+session+tokens,billing&recency_bias=auto')).recency_bias).to.equal('on');
    const filled = await recall('queries=espresso,billing&tags=kitchen&scope_fallback=true&limit=3');
    expect(idsOf(filled)[0]).to.equal(ids['coffee']);
    expect(
      filled.results.slice(1).map((result: { outside_tag_scope?: true }) => result.outside_tag_scope),
    ).to.deep.equal([true, true]);
    const explained = await recall('queries=session+tokens,billing+events&per_query_limit=1&explain=true');
    const terms = new Map(
      explained.results.map(({ id, explain }: { id: string; explain: { terms: { content: string[] } } }) => [
        id,
        explain.terms.content.length,
      ]),
    );
    expect(terms).to.deep.equal(
      new Map([
        [ids['cache'], 2],
        [ids['queue'], 2],
      ]),
    );
  });

  it('applies filters, order and min_score to all queries', async () => {
    expect(idsOf(await recall('queries=espresso,session+tokens&tags=kitchen'))).to.deep.equal([ids['coffee']]);
    expect((await recall('queries=espresso&start=2019-01-01')).sort).to.equal('score');
    expect((await recall('queries=zebra,quasar&min_score=1')).count).to.equal(0);
  });

  it('accepts ten queries and rejects more with 400', async () => {
    const many = (count: number): string =>
      Array.from({ length: count }, (_, index) => `queries=word${index}`).join('&');
    expect((await recall(many(10))).queries).to.have.length(10);
    for (const count of [11, 100]) {
      const { status, body } = await service.request('GET', `/recall?${many(count)}`);
      expect(status).to.equal(400);
      expect(body.message).to.equal(`'queries' must hold at most 10 values, not ${count}: send fewer`);
    }
  });

  it('accepts blank queries and the wildcard *', async () => {
    expect(await recall('queries=&queries=,,&query=tokens')).to.deep.include({ keywords: ['tokens'], query: 'tokens' });
    expect((await recall('queries=*&limit=4')).count).to.equal(4);
    expect((await recall('queries=*,tokens&limit=1')).results[0].id).to.equal(ids['cache']);
  });

  describe('auto_decompose', () => {
    it('adds the parts to the query and names them all', async () => {
      const body = await recall('query=Would+Caroline+pursue+writing+as+a+career+option+today%3F&auto_decompose=true');
      expect(body.queries).to.deep.equal([
        'Would Caroline pursue writing as a career option today?',
        'Caroline',
        'Caroline writing',
        'Caroline career',
        'Caroline option',
        'Caroline interests goals plans',
      ]);
      expect(body).to.not.have.property('keywords');
    });

    it('keeps the best match of the whole query first', async () => {
      const question = 'query=where+does+the+gateway+keep+session+tokens';
      const [plain, decomposed] = [await recall(question), await recall(`${question}&auto_decompose=true`)];
      expect(decomposed.queries).to.deep.equal([
        'where does the gateway keep session tokens',
        'gateway',
        'keep',
        'session',
      ]);
      expect(decomposed.results[0]).to.include({ id: ids['cache'], final_score: plain.results[0].final_score });
    });

    it('adds no queries for a wildcard or a single word', async () => {
      expect(await recall('auto_decompose=true&query=*')).to.not.have.property('queries');
      expect(await recall('auto_decompose=true&query=tokens')).to.deep.include({ keywords: ['tokens'] });
    });
  });

  describe('per_query_limit', () => {
    it('limits a single query too', async () => {
      expect(idsOf(await recall('query=session+tokens&per_query_limit=1'))).to.deep.equal([ids['cache']]);
      expect((await recall('per_query_limit=2')).count).to.equal(2);
    });

    it('is clamped; an invalid value means the limit', async () => {
      for (const [given, count] of [
        ['0', 1],
        ['-5', 1],
        ['100000', 4],
        ['many', 4],
        ['', 4],
      ] as const) {
        expect(
          (await recall(`query=session+tokens&adaptive_floor=false&per_query_limit=${given}`)).count,
          given,
        ).to.equal(count);
      }
    });
  });
});
