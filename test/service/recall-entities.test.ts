/** Expansion by entities: memories about the people, places and organizations of the results. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

describe('recall by entities', () => {
  let service: Service;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService();
    ids = {
      sister: await store('The sister of Amanda is Rachel', ['entity:people:amanda', 'entity:people:rachel'], { importance: 0.9 }),
      career: await store('She works as a counsellor in Trondheim', ['entity:people:rachel'], { importance: 0.7 }),
      holiday: await store('A holiday by the sea', ['entity:people:rachel', 'scope'], { importance: 0.2 }),
      named: await store('Lunch at the fjord', ['lunch'], { importance: 0.6, metadata: { entities: { places: ['Trondheim Centrum'] } } }),
      place: await store('The tram ends at the old fort', ['entity:places:trondheim-centrum'], { importance: 0.5 }),
      tool: await store('A hammer fell', ['entity:tools:hammer', 'hammer'], { importance: 0.4 }),
      otherTool: await store('Nails are sold out', ['entity:tools:hammer'], { importance: 0.3 }),
    };
  });
  after(() => service.close());

  async function store(content: string, tags: readonly string[], fields: object = {}): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, tags, type: 'Context', ...fields } });
    expect(answer.status).to.equal(201);
    return answer.body.memory_id;
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?limit=1&${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  async function found(query: string): Promise<readonly string[]> {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    return (await recall(query)).results.map(({ id }: { id: string }) => names.get(id) ?? id);
  }

  for (const name of ['expand_entities', 'entity_expansion']) {
    it(`answers what a result only leads to: ${name}`, async () => {
      const body = await recall(`query=sister+of+Amanda&${name}=true`);
      expect(body.results.map(({ id }: { id: string }) => id)).to.deep.equal([ids['sister'], ids['career'], ids['holiday']]);
      expect(body.entity_expansion).to.deep.equal({ enabled: true, expanded_count: 2, entities_found: ['amanda', 'rachel'] });
      expect(body).to.not.have.property('expansion');
    });
  }

  it('says by whom a memory was reached', async () => {
    const [seed, career] = (await recall('query=sister+of+Amanda&expand_entities=true')).results;
    expect(career).to.include({ match_type: 'entity', source: 'graph', expanded_from_entity: 'rachel' });
    expect(career.score_components.entity_expansion).to.equal(0.15);
    expect(career).to.not.have.any.keys('original_score', 'related_to', 'relation_score');
    expect(seed).to.not.have.property('expanded_from_entity');
    expect(seed.score_components).to.not.have.property('entity_expansion');
  });

  it('finds by tag what metadata names, and by entities of other types', async () => {
    expect(await found('tags=lunch&expand_entities=true')).to.deep.equal(['named', 'place']);
    expect(await found('tags=hammer&expand_entities=true')).to.deep.equal(['tool', 'otherTool']);
  });

  it('holds what is added to the limits and filters of an expansion', async () => {
    const query = 'query=sister+of+Amanda&expand_entities=true';
    expect(await found(`${query}&expansion_limit=1`)).to.deep.equal(['sister', 'career']);
    expect(await found(`${query}&expand_min_importance=0.5`)).to.deep.equal(['sister', 'career']);
    expect(await found(`${query}&exclude_tags=scope`)).to.deep.equal(['sister', 'career']);
    expect(await found(`${query}&end=2020-01-01`)).to.deep.equal([]);
    expect(await found('tags=scope&tags=entity:people:amanda&expand_entities=true')).to.have.members(['sister', 'career', 'holiday']);
    expect(await found('tags=scope&tags=entity:people:amanda&expand_entities=true&expand_respect_tags=true')).to.deep.equal(['sister', 'holiday']);
  });

  it('follows the entities of what associations added, and counts both within one limit', async () => {
    const body = { memory1_id: ids['tool'], memory2_id: ids['named'], type: 'RELATES_TO', strength: 0.5 };
    expect((await service.request('POST', '/associate', { body })).status).to.equal(201);
    const query = 'tags=hammer&expand_relations=true&expand_entities=true';
    expect(await found(query)).to.have.members(['tool', 'named', 'place', 'otherTool']);
    const cut = await recall(`${query}&expansion_limit=1`);
    expect(cut.results.map(({ id }: { id: string }) => id)).to.deep.equal([ids['tool'], ids['named']]);
    expect(cut.expansion).to.include({ expanded_count: 1, expansion_limit: 1 });
    expect(cut.entity_expansion).to.deep.equal({ enabled: true, expanded_count: 0, entities_found: ['trondheim centrum', 'hammer'] });
  });

  it('adds five of one entity at most, and of five entities', async () => {
    const people = [1, 2, 3, 4, 5, 6].map((number) => `person-${number}`);
    await store('The whole team met', ['team', ...people.map((person) => `entity:people:${person}`)], { importance: 1 });
    for (const person of people) {
      for (let note = 1; note <= 6; note += 1) await store(`Note ${note} about ${person}`, [`entity:people:${person}`]);
    }
    const { results, entity_expansion } = await recall('tags=team&expand_entities=true&expansion_limit=100');
    const reachedFrom = results.slice(1).map((result: { expanded_from_entity: string }) => result.expanded_from_entity);
    for (const number of [1, 2, 3, 4, 5]) expect(reachedFrom.filter((name: string) => name === `person ${number}`)).to.have.length(5);
    expect(reachedFrom).to.have.length(25);
    expect(entity_expansion.entities_found).to.deep.equal([1, 2, 3, 4, 5, 6].map((number) => `person ${number}`));
  });

  it('finds nothing where results name nobody', async () => {
    await store('Nobody is in here', ['nobody']);
    expect((await recall('tags=nobody&expand_entities=true')).entity_expansion).to.deep.equal({ enabled: true, expanded_count: 0, entities_found: [] });
    expect((await recall('tags=nothing&expand_entities=true')).entity_expansion).to.deep.equal({ enabled: true, expanded_count: 0, entities_found: [] });
  });
});
