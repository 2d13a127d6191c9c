/** GET /recall over the whole service: what is found, what narrows it, in which order, and what the answer says of itself. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

const DIMENSION = 512;

describe('recall', () => {
  let service: Service;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService();
    ids = {
      pool: await store({ content: 'Chose PgBouncer for connection pooling', tags: ['Project/Atlas', 'db'], importance: 0.9, timestamp: '2024-03-01T10:00:00Z' }),
      cache: await store({ content: 'Redis caches the session tokens', tags: ['project:atlas', 'cache'], importance: 0.6, timestamp: '2024-03-05T10:00:00Z' }),
      coffee: await store({ content: 'The espresso machine needs descaling every month', tags: ['kitchen'], importance: 0.3, timestamp: '2024-04-01T10:00:00Z' }),
      error: await store({ content: 'Restart fixed ERR_CONN_4711 on staging', tags: ['deploy:staging'], importance: 0.4, timestamp: '2024-04-02T10:00:00Z' }),
    };
    await service.settled();
  });
  after(() => service.close());

  async function store(body: Record<string, unknown>): Promise<string> {
    const answer = await service.request('POST', '/memory', { body });
    expect(answer.status).to.equal(201);
    return answer.body.memory_id;
  }
  async function recall(parameters: Record<string, string> | [string, string][]) {
    const answer = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(answer.status, JSON.stringify(answer.body)).to.equal(200);
    return answer.body;
  }
  /** The names of the results, in order. */
  async function found(parameters: Record<string, string> | [string, string][]): Promise<readonly string[]> {
    const { results } = await recall(parameters);
    const nameOf = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return results.map(({ id }: { id: string }) => nameOf.get(id));
  }
  async function refusal(parameters: Record<string, string>): Promise<string> {
    const answer = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(answer.status).to.equal(400);
    return answer.body.message;
  }

  describe('with a query', () => {
    it('puts what the words name first', async () => {
      expect((await found({ query: 'connection pool' }))[0]).to.equal('pool');
      expect((await found({ query: 'Where are session tokens cached?' }))[0]).to.equal('cache');
    });

    it('finds an identifier', async () => {
      const { results } = await recall({ query: 'ERR_CONN_4711' });
      expect(results[0].id).to.equal(ids['error']);
      expect(results[0].score_components.keyword).to.equal(1);
    });

    it('finds by meaning what shares no word', async () => {
      expect((await found({ query: 'coffee' }))[0]).to.equal('coffee');
    });

    it('describes itself', async () => {
      const body = await recall({ query: ' session tokens ', adaptive_floor: 'false' });
      expect(body).to.deep.include({
        status: 'success', query: 'session tokens', count: 4, sort: 'score', state_mode: 'current', tag_mode: 'any', tag_match: 'prefix',
        vector_search: { enabled: true, matched: true }, keywords: ['session', 'tokens'], dedup_removed: 0,
      });
      expect(body).to.not.have.any.keys('degraded', 'tags', 'time_window', 'score_filter');
    });

    it('shows a memory under all names of its fields', async () => {
      const [{ memory, final_score, score }] = (await recall({ query: 'session tokens', limit: '1' })).results;
      expect(final_score).to.equal(score);
      expect(memory).to.deep.include({
        id: ids['cache'], memory_id: ids['cache'], content: 'Redis caches the session tokens', tags: ['project:atlas', 'cache'], importance: 0.6,
        timestamp: '2024-03-05T10:00:00+00:00', created_at: '2024-03-05T10:00:00+00:00',
      });
    });
  });

  describe('without a query', () => {
    it('lists what is important', async () => {
      expect(await found({})).to.deep.equal(['pool', 'cache', 'error', 'coffee']);
      expect(await found({ query: '*' })).to.deep.equal(['pool', 'cache', 'error', 'coffee']);
      expect((await recall({})).results[0].match_type).to.equal('trending');
    });

    it('lists what has a tag', async () => {
      const { results } = await recall({ tags: 'kitchen' });
      expect(results).to.have.length(1);
      expect(results[0]).to.include({ id: ids['coffee'], match_type: 'tag' });
    });

    it('orders by time where that is asked for', async () => {
      expect(await found({ sort: 'time_desc' })).to.deep.equal(['error', 'coffee', 'cache', 'pool']);
      expect(await found({ order_by: 'time_asc', limit: '2' })).to.deep.equal(['pool', 'cache']);
    });
  });

  describe('narrowed', () => {
    it('to tags, by prefix whatever the delimiter', async () => {
      expect(await found({ query: 'anything', tags: 'project:atlas' })).to.have.members(['pool', 'cache']);
      expect(await found({ query: 'anything', tags: 'project' })).to.have.members(['pool', 'cache']);
      expect(await found({ query: 'anything', tags: 'proj' })).to.deep.equal([]);
    });

    it('to whole tags', async () => {
      expect(await found({ query: 'anything', tags: 'PROJECT:ATLAS', tag_match: 'exact' })).to.deep.equal(['cache']);
    });

    it('to all of several tags', async () => {
      expect(await found([['tags', 'project:atlas'], ['tags', 'db'], ['tag_mode', 'all']])).to.deep.equal(['pool']);
      expect(await found([['tags', 'kitchen'], ['tags', 'db']])).to.deep.equal(['pool', 'coffee']);
    });

    it('by exclusion', async () => {
      expect(await found({ exclude_tags: 'dep,kitch' })).to.deep.equal(['pool', 'cache']);
    });

    it('to a window of time, newest first', async () => {
      const body = await recall({ time_query: 'march 2024' });
      expect(body).to.deep.include({ sort: 'time_desc', time_window: { start: '2024-03-01T00:00:00+00:00', end: '2024-04-01T00:00:00+00:00' } });
      expect(await found({ time_query: 'march 2024' })).to.deep.equal(['cache', 'pool']);
      expect(await found({ start: '2024-03-05', end: '2024-04-01T23:00:00Z' })).to.deep.equal(['coffee', 'cache']);
    });

    it('to a score', async () => {
      const all = await recall({ query: 'session tokens', adaptive_floor: 'false' });
      const body = await recall({ query: 'session tokens', min_score: '0.5', adaptive_floor: 'false' });
      expect(body.results.map(({ id }: { id: string }) => id)).to.deep.equal([ids['cache']]);
      expect(body.score_filter).to.deep.equal({ min_score: 0.5, adaptive_floor: null, filtered_count: all.count - 1 });
    });

    it('to the limit, which is clamped', async () => {
      expect(await found({ limit: '2' })).to.have.length(2);
      expect(await found({ limit: '0' })).to.have.length(1);
      expect(await found({ limit: '100000' })).to.have.length(4);
    });
  });

  describe('by an embedding', () => {
    const axis = (index: number): string => Array.from({ length: DIMENSION }, (_, at) => (at === index ? 1 : 0)).join(',');

    it('finds the nearest', async () => {
      const answer = await service.request('POST', '/memory', { body: { content: 'Has a vector of its own', embedding: axis(3), tags: ['own'] } });
      const { results } = await recall({ embedding: axis(3), tags: 'own' });
      expect(results[0]).to.include({ id: answer.body.memory_id, match_type: 'semantic', source: 'qdrant' });
      expect(results[0].score_components.vector).to.be.closeTo(1, 0.001);
    });

    it('of another length is refused', async () => {
      expect(await refusal({ embedding: '1,2,3' })).to.equal(`Embedding must contain exactly ${DIMENSION} values`);
    });
  });

  describe('refused', () => {
    it('for a time that cannot be read', async () => {
      expect(await refusal({ time_query: 'whenever' })).to.contain('time_query');
      expect(await refusal({ start: 'soon' })).to.equal('Invalid start time: Invalid ISO timestamp');
      expect(await refusal({ end: 'late' })).to.equal('Invalid end time: Invalid ISO timestamp');
    });

    it('for a state that does not exist', async () => {
      expect(await refusal({ state_mode: 'future' })).to.equal("'state_mode' must be 'current' or 'history'");
    });
  });
});
