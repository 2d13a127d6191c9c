/** GET /overview: the counts of a first look. */
import { expect } from 'chai';
import { OVERVIEW_KEPT_MS } from '../../../query-api/graph-views/read-overview.js';
import { type Service, startService } from '../../support/processes/service.js';

const DAY = '2024-06-30';
const ANN = 'entity:people:ann-lee';
const TOKENS = { SERVICE_API_TOKEN: 'secret', ADMIN_API_TOKEN: 'admin secret' };
const ADMIN = { authorization: 'Bearer secret', 'x-admin-token': 'admin secret' };

describe('GET /overview', () => {
  let service: Service;
  let now: number;
  beforeEach(async () => {
    now = Date.parse(`${DAY}T22:30:00Z`);
    service = await startService({ variables: TOKENS, clock: { now: () => new Date(now) } });
  });
  afterEach(() => service.close());

  const request = (method: string, path: string, body?: object, headers: Readonly<Record<string, string>> = ADMIN) =>
    service.request(method, path, { headers, ...(body !== undefined && { body }) });
  const store = async (body: object): Promise<string> =>
    (await request('POST', '/memory', { content: 'Anna likes tea', timestamp: `${DAY}T08:00:00Z`, ...body })).body
      .memory_id;
  /** After the time for which an answer is repeated. */
  const overview = async () => {
    now += OVERVIEW_KEPT_MS;
    const { status, body } = await request('GET', '/overview');
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };

  it('is empty for an empty service', async () => {
    const { added, read_at: _at, ...rest } = await overview();
    const nothing = { memories: 0, associations: 0, by_type: {}, tagged: 0, top_tags: [], top_entities: [] };
    expect(rest).to.deep.equal({ status: 'success', ...nothing });
    expect(added).to.have.length(30);
  });

  it('counts memories, associations, days, types, tags and entities', async () => {
    const tea = await store({ tags: ['Drinks', 'home', ANN], type: 'Preference' });
    const coffee = await store({ tags: ['drinks', ANN], type: 'Insight', timestamp: '2024-06-01T00:00:00Z' });
    await store({ tags: ['drinks'], type: 'Insight', timestamp: '2024-05-31T23:59:59Z' });
    const pair = { memory1_id: tea, memory2_id: coffee, type: 'PREFERS_OVER', strength: 0.9 };
    expect((await request('POST', '/associate', pair)).status).to.equal(201);
    const { added, ...body } = await overview();
    expect(body).to.deep.include({ memories: 3, associations: 1, by_type: { Insight: 2, Preference: 1 } });
    expect(body.tagged).to.equal(3);
    expect(body.top_tags).to.deep.equal([
      { tag: 'drinks', memories: 3 },
      { tag: 'home', memories: 1 },
    ]);
    expect(body.top_entities).to.deep.equal([{ tag: ANN, name: 'Ann Lee', category: 'people', memories: 2 }]);
    const days = added as readonly { readonly date: string; readonly count: number }[];
    expect([days.length, days[0]?.date, days.at(-1)?.date]).to.deep.equal([30, '2024-06-01', DAY]);
    expect(days.filter(({ count }) => count > 0)).to.deep.equal([
      { date: '2024-06-01', count: 1 },
      { date: DAY, count: 1 },
    ]);
  });

  it('shows the ten most used tags, and no merged entity', async () => {
    const tags = Array.from({ length: 12 }, (_, index) => `tag-${String(index).padStart(2, '0')}`);
    await store({ tags: [...tags, ANN, 'entity:people:ann'] });
    await store({ tags: ['tag-11', ANN] });
    const merge = await request('POST', '/entity/ann/merge', { merge_into: 'ann-lee' });
    expect(merge.status, JSON.stringify(merge.body)).to.equal(200);
    const { top_tags: shown, top_entities: entities } = await overview();
    expect(shown.map(({ tag }: { tag: string }) => tag)).to.deep.equal(['tag-11', ...tags.slice(0, 9)]);
    expect(entities.map(({ name }: { name: string }) => name)).to.deep.equal(['Ann Lee']);
  });

  it('shows a tag that looks like an entity of an unknown category among the tags', async () => {
    await store({ tags: ['entity:planets:mars', 'entity:tools:vim:plugin'] });
    const { top_tags: tags, top_entities: entities } = await overview();
    expect(tags.map(({ tag }: { tag: string }) => tag)).to.deep.equal([
      'entity:planets:mars',
      'entity:tools:vim:plugin',
    ]);
    expect(entities).to.deep.equal([]);
  });

  it('repeats an answer for a few seconds', async () => {
    const first = await overview();
    await store({});
    now += OVERVIEW_KEPT_MS - 1;
    expect((await request('GET', '/overview')).body).to.deep.equal(first);
    now += 1;
    expect((await request('GET', '/overview')).body.memories).to.equal(1);
    now -= 3_600_000;
    await store({});
    expect((await request('GET', '/overview')).body.memories, 'after the clock was set back').to.equal(2);
  });

  it('warns about parameters, and refuses other methods', async () => {
    const { status, body } = await request('GET', '/overview?days=x');
    expect([status, body.warnings?.length]).to.deep.equal([200, 1]);
    expect((await request('POST', '/overview', {})).status).to.equal(405);
  });

  it('needs the scope graph:read, which no key with a tag has', async () => {
    expect((await request('GET', '/overview', undefined, {})).status).to.equal(401);
    const asKey = async (name: string, body: object) => {
      const made = await request('POST', '/admin/keys', { name, ...body });
      expect(made.status, JSON.stringify(made.body)).to.equal(201);
      return request('GET', '/overview', undefined, { authorization: `Bearer ${made.body.secret}` });
    };
    const lacks = { status: 403, message: "The key 'tagged' lacks the scope graph:read" };
    const { status, body } = await asKey('tagged', { scopes: ['memories:read'], tag: 'home' });
    expect({ status, message: body.message }).to.deep.equal(lacks);
    expect((await asKey('reader', { scopes: ['graph:read'] })).status).to.equal(200);
  });

  it('answers 503 while the graph is down, and again after it', async () => {
    service.breakers.graph.break();
    const { status, body } = await request('GET', '/overview');
    expect([status, body.message]).to.deep.equal([503, 'Graph database unavailable']);
    service.breakers.graph.mend();
    expect((await overview()).memories).to.equal(0);
  });
});
