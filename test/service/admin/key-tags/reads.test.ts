/** What a key that is restricted to a tag reads: no reply shows a foreign memory, or that there is one. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { until } from '../../../support/checks/until.js';
import { foreignIn, type Opened, openOwnAndForeign, TAG } from './own-and-foreign.js';

type Parameters = Readonly<Record<string, string | readonly string[]>>;

describe('reads of a key with a tag', function () {
  this.timeout(180_000);
  let opened: Opened;
  let own: Opened['own'];
  let foreign: Opened['foreign'];
  let embedding: string;
  before(async () => {
    opened = await openOwnAndForeign();
    ({ own, foreign } = opened);
    const { embedder } = opened.service.engines;
    const [vector] = await embedder.embed(['a lantern of the savanna'], { purpose: 'query' });
    embedding = [...(vector ?? [])].join(',');
    await until('the identity to be shown', async () => {
      const { body } = await opened.admin('GET', '/recall?query=Carla%20Gomez');
      return JSON.stringify(body.entities ?? '').includes('zebra office');
    });
  });
  after(() => opened.close());

  const idsOf = (body: { readonly results: readonly { readonly id: string }[] }) => body.results.map(({ id }) => id);
  const get = async (path: string, caller = opened.alice) => {
    const { status, body } = await caller('GET', path);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  };
  const recall = (parameters: Parameters, caller = opened.alice) => get(`/recall?${queryOf(parameters)}`, caller);
  const foreignIds = () => Object.values(foreign).join(',');

  const recalls = (): Readonly<Record<string, Parameters>> => ({
    'by meaning': { query: 'where does the lantern hang', limit: '100' },
    'by words': { query: 'savanna lantern', limit: '100' },
    'without a query': { limit: '100' },
    'in the order of time': { sort: 'time_desc', limit: '100' },
    'in the order of change': { query: 'lantern', sort: 'updated_asc', limit: '100' },
    'of a time': { time_query: 'last 7 days', limit: '100' },
    'by tags': { tags: 'harbour', limit: '100' },
    'by foreign tags': { query: 'lantern', tags: 'savanna', limit: '100' },
    'by all of several tags': { query: 'lantern', tags: ['harbour', 'session:7'], tag_mode: 'all', limit: '100' },
    'by whole tags': { query: 'lantern', tags: 'harbour', tag_match: 'exact', limit: '100' },
    'outside of tags': { query: 'lantern', tags: 'critical', scope_fallback: 'true', limit: '100' },
    'by priority ids': { query: 'lantern', priority_ids: `${foreignIds()},${own['work']}`, limit: '100' },
    'with associations': { query: 'harbour gate', expand_relations: 'true', limit: '100' },
    'with entities': { query: 'Carla Gomez orders', expand_entities: 'true', limit: '2' },
    'with everything added': {
      ...{ query: 'lantern', expand_relations: 'true', expand_entities: 'true', tags: 'harbour', limit: '1' },
      ...{ relation_limit: '200', expansion_limit: '500' },
    },
    'for a context': { query: 'anything', context_tags: 'savanna,harbour', context: 'savanna', limit: '3' },
    'with reasons': { query: 'lantern savanna', explain: 'true', limit: '100' },
    'with states': { query: 'lantern', state_debug: 'true', explain: 'true', limit: '100' },
    'of the history': { query: 'lantern', state_mode: 'history', limit: '100' },
    'in short': { query: 'lantern', detail: 'compact', limit: '100' },
    'by a vector': { embedding, limit: '100' },
    'by a vector and words': { embedding, query: 'lantern', explain: 'true', limit: '100' },
    'by several queries': { queries: 'savanna,lantern,Carla Gomez', limit: '100' },
    'by parts of a query': { query: 'Carla Gomez and the savanna lantern', auto_decompose: 'true', limit: '100' },
    'by metadata': { query: 'tool harbour-tool', limit: '100' },
    'by latest': { query: 'the latest lantern', recency_bias: 'on', adaptive_floor: 'false', limit: '100' },
    'within a number of tokens': { query: 'lantern', max_tokens: '120', limit: '100' },
  });

  it('recall only visible memories, by any parameters', async () => {
    for (const [name, parameters] of Object.entries(recalls())) {
      const [shown, all] = [await recall(parameters), await recall(parameters, opened.admin)];
      expect(foreignIn(shown, foreign), name).to.deep.equal([]);
      expect(foreignIn(all.results, foreign), `${name}, as an administrator`).to.not.deep.equal([]);
      const isForeignTag = name === 'by foreign tags';
      expect(shown.results.length > 0, `${name}: ${JSON.stringify(shown)}`).to.equal(!isForeignTag);
    }
  });

  it('recall each visible memory, also one that a foreign one replaces', async () => {
    const { replaced, lapsed, former, latter, begin, end, gate, work, carla } = own;
    const current = [replaced, latter, begin, end, gate, work, carla];
    expect(idsOf(await recall({ query: 'lantern', limit: '100' }))).to.have.members(current);
    expect(idsOf(await recall({ limit: '100' }))).to.have.members(current);
    const { state_filter: states } = await recall({ query: 'lantern', state_debug: 'true', limit: '100' });
    expect(states).to.deep.include({ suppressed_count: 2, replacement_count: 1 });
    expect(states.suppressed).to.have.deep.members([
      { id: lapsed, reason: 'expired' },
      { id: former, reason: 'superseded', replacement_id: latter, relation_type: 'INVALIDATED_BY' },
    ]);
    const asAdmin = idsOf(await recall({ query: 'lantern', limit: '100' }, opened.admin));
    expect(asAdmin).to.not.include.members([replaced]);
    expect(asAdmin).to.not.include.members([begin]);
  });

  it('explain a foreign memory as one that does not exist', async () => {
    for (const parameters of [
      { query: 'savanna lantern' },
      {},
      { tags: 'savanna' },
      { state_mode: 'history', query: 'lantern' },
    ]) {
      const explained = async (id: string, caller = opened.alice) => {
        const { memory_id: _id, ...rest } = (await recall({ ...parameters, explain: id, limit: '1' }, caller)).explain;
        return rest;
      };
      const missing = await explained(randomUUID());
      for (const id of Object.values(foreign)) expect(await explained(id)).to.deep.equal(missing);
      expect(await explained(foreign['gate'] ?? '', opened.admin)).to.not.deep.equal(missing);
    }
    const { explain } = await recall({ query: 'lantern', explain: own['replaced'] ?? '', limit: '100' });
    expect(explain.position).to.be.greaterThan(0);
    const listed = (caller = opened.alice) => recall({ limit: '1', explain: own['replaced'] ?? '' }, caller);
    expect((await listed()).explain.cut.at, 'found by no source').to.equal('retrieval');
    expect((await listed(opened.admin)).explain.cut).to.include({ at: 'state', successor: foreign['successor'] });
    const cut = (await recall({ query: 'anything', tags: 'system', explain: own['former'] ?? '' })).explain.cut;
    expect(cut.at).to.equal('filter');
  });

  it('read a memory with its visible associations', async () => {
    const { memory } = await get(`/memory/${own['gate']}`);
    expect(memory.tags).to.include(TAG);
    expect(memory.enriched).to.equal(true);
    expect(foreignIn(memory, foreign)).to.deep.equal([]);
    const ends = new Set(memory.relations.map((relation: { memory: { id: string } }) => relation.memory.id));
    expect(ends).to.include(own['work']);
    expect([...ends].filter((id) => !Object.values(own).includes(id as string))).to.deep.equal([]);
    const asAdmin = (await get(`/memory/${own['gate']}`, opened.admin)).memory;
    expect(foreignIn(asAdmin.metadata, foreign), 'enrichment names neighbours').to.not.deep.equal([]);
    expect(foreignIn(asAdmin.relations, foreign)).to.not.deep.equal([]);
    expect((await get(`/memory/${own['work']}`)).memory.tags).to.not.include(TAG);
  });

  it('answer for a foreign memory as for one that does not exist', async () => {
    const missing = randomUUID();
    for (const id of Object.values(foreign)) {
      const answers = await Promise.all([id, missing].map((each) => opened.alice('GET', `/memory/${each}`)));
      expect(answers[0]?.status).to.equal(404);
      expect(timeless(answers[0]?.body, id)).to.deep.equal(timeless(answers[1]?.body, missing));
      const related = async (each: string) => timeless(await get(`/memories/${each}/related?max_depth=3`), each);
      expect(await related(id)).to.deep.equal(await related(missing));
      expect((await opened.admin('GET', `/memory/${id}`)).status).to.equal(200);
    }
  });

  it('follow no association over a foreign memory', async () => {
    const types = 'RELATES_TO,LEADS_TO,EVOLVED_INTO,INVALIDATED_BY,CONTRADICTS,SIMILAR_TO,PRECEDED_BY,EXEMPLIFIES';
    const related = async (id: string | undefined, caller = opened.alice) =>
      get(`/memories/${id}/related?max_depth=3&limit=200&relationship_types=${types}`, caller);
    const idsIn = (body: { related_memories: { id: string }[] }) => body.related_memories.map(({ id }) => id);
    for (const id of Object.values(own)) {
      const shown = await related(id);
      expect(foreignIn(shown, foreign)).to.deep.equal([]);
      expect(Object.values(own)).to.include.members(idsIn(shown));
    }
    const written = (id: string | undefined, caller = opened.alice) =>
      get(`/memories/${id}/related?max_depth=3`, caller);
    expect(idsIn(await written(own['gate']))).to.deep.equal([own['work']]);
    expect(idsIn(await written(own['begin']))).to.deep.equal([]);
    expect(idsIn(await written(own['begin'], opened.admin))).to.include(own['end']);
  });

  it('list and count by tag the visible memories alone', async () => {
    const page = (offset: number) => get(`/memory/by-tag?tags=harbour&limit=5&offset=${offset}`);
    const [first, second] = [await page(0), await page(5)];
    expect(foreignIn([first.memories, second.memories], foreign)).to.deep.equal([]);
    expect([first.count, first.has_more, second.count, second.has_more]).to.deep.equal([5, true, 3, false]);
    const none = await get('/memory/by-tag?tags=savanna');
    expect([none.count, none.has_more]).to.deep.equal([0, false]);
    expect((await get('/memory/by-tag?tags=savanna', opened.admin)).count).to.equal(Object.keys(foreign).length);
  });

  it('list and count the visible memories alone, in every order', async () => {
    for (const sort of ['newest', 'oldest', 'importance', 'updated']) {
      const shown = await get(`/memories?limit=100&facets=true&sort=${sort}`);
      expect(foreignIn(shown, foreign), sort).to.deep.equal([]);
      expect(shown.memories.map(({ id }: { id: string }) => id)).to.have.members(Object.values(own));
      expect(shown.facets).to.include({ total: Object.keys(own).length, is_partial: false });
    }
    const lanterns = await get('/memories?limit=100&facets=true&text=lantern');
    expect(foreignIn(lanterns, foreign)).to.deep.equal([]);
    expect(lanterns.facets).to.include({ total: lanterns.memories.length, counted: lanterns.memories.length });
    const all = await get('/memories?limit=100&text=lantern', opened.admin);
    expect(all.memories.length).to.be.greaterThan(lanterns.memories.length);
    expect((await get('/memories?text=savanna&facets=true')).facets).to.deep.include({ total: 0, tags: [] });
    expect((await get('/memories?tags=savanna&facets=true')).facets.total).to.equal(0);
    expect(foreignIn((await get('/memories?limit=100', opened.admin)).memories, foreign)).to.not.deep.equal([]);
  });

  it('begin a session with visible lessons and rules', async () => {
    const shown = await get('/startup-recall');
    expect(foreignIn(shown, foreign)).to.deep.equal([]);
    expect(shown.critical_lessons.map(({ id }: { id: string }) => id)).to.deep.equal([own['gate']]);
    expect(shown.system_rules.map(({ id }: { id: string }) => id)).to.deep.equal([own['carla']]);
    expect(shown).to.include({ lesson_count: 1, has_critical: false });
    expect(foreignIn(await get('/startup-recall', opened.admin), foreign)).to.not.deep.equal([]);
  });

  it('show the same over MCP', async () => {
    const method = 'tools/call';
    const params = { name: 'recall_memory', arguments: { query: 'lantern', limit: 50, format: 'json' } };
    const answer = await fetch(`${opened.service.url}/mcp`, {
      method: 'POST',
      headers: {
        ...{ authorization: `Bearer ${opened.secret}`, 'content-type': 'application/json' },
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    const text = await answer.text();
    expect(text).to.include(own['gate']);
    expect(foreignIn(text, foreign)).to.deep.equal([]);
  });
});

function queryOf(parameters: Parameters): URLSearchParams {
  const query = new URLSearchParams();
  for (const [name, given] of Object.entries(parameters)) for (const one of [given].flat()) query.append(name, one);
  return query;
}

/** A reply without what differs between two requests for different ids. */
function timeless(body: unknown, id: string): unknown {
  const text = JSON.stringify(body).replaceAll(id, 'ID');
  return JSON.parse(text.replace(/"(?:request_id|instance|requestId)":"[^"]*"/gu, '"request":""'));
}
