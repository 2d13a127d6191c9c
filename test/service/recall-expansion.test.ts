/** Expansion along associations: what is added to the results, how it is shown, and what narrows it. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

describe('recall along associations', () => {
  let service: Service;
  let ids: Readonly<Record<string, string>>;
  before(async () => {
    service = await startService({ variables: { RECALL_EXPANSION_LIMIT: '20', RECALL_RELATION_LIMIT: '7', RECALL_EXCLUDED_TYPES: 'Style' } });
    ids = {
      seed: await store('The harbour bridge was painted', ['seed', 'other-seed'], { importance: 0.8 }),
      twin: await store('The harbour gate was painted', ['seed'], { importance: 0.4 }),
      strong: await store('Paint is bought from Meyer', ['paint'], { importance: 0.9, timestamp: '2024-02-01T00:00:00Z' }),
      weak: await store('Meyer closes on Mondays', ['shop'], { importance: 0.2, timestamp: '2024-03-01T00:00:00Z' }),
      both: await store('Ladders stand in the shed', ['tools', 'seed:shed'], { importance: 0.5, timestamp: '2024-04-01T00:00:00Z' }),
      far: await store('The shed has a new lock', ['tools'], { importance: 0.9 }),
      excluded: await store('Paint is red in this house', [], { importance: 1, type: 'Style' }),
    };
    await associate('seed', 'excluded', 1);
    await associate('seed', 'strong', 0.9, 'LEADS_TO');
    await associate('weak', 'seed', 0.2, 'DERIVED_FROM');
    await associate('seed', 'both', 0.5);
    await associate('both', 'twin', 0.5);
    await associate('seed', 'twin', 1);
    await associate('both', 'far', 1);
  });
  after(() => service.close());

  async function store(content: string, tags: readonly string[], fields: object = {}): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, tags, type: 'Context', ...fields } });
    expect(answer.status).to.equal(201);
    return answer.body.memory_id;
  }
  async function associate(one: string, other: string, strength: number, type = 'RELATES_TO'): Promise<void> {
    const answer = await service.request('POST', '/associate', { body: { memory1_id: ids[one], memory2_id: ids[other], type, strength } });
    expect(answer.status).to.equal(201);
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?${query}`);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body;
  }
  /** The names of what was added, in order. */
  async function added(query: string): Promise<readonly string[]> {
    const names = new Map(Object.entries(ids).map(([name, id]) => [id, name]));
    const { results } = await recall(`tags=seed&tag_match=exact&expand_relations=true&${query}`);
    return results.filter((result: object) => 'related_to' in result).map(({ id }: { id: string }) => names.get(id));
  }

  it('adds nothing unless it is asked to', async () => {
    const body = await recall('tags=seed&tag_match=exact');
    expect(body.count).to.equal(2);
    expect(body).to.not.have.any.keys('expansion', 'entity_expansion');
  });

  for (const name of ['expand_relations', 'expand_associations', 'expand']) {
    it(`puts what is associated with the results after them, by score: ${name}`, async () => {
      const body = await recall(`tags=seed&tag_match=exact&limit=2&${name}=yes`);
      expect(body.results.map(({ id }: { id: string }) => id)).to.deep.equal([ids['seed'], ids['twin'], ids['strong'], ids['both'], ids['weak']]);
      expect(body.count).to.equal(5);
      expect(body.expansion).to.deep.equal({
        enabled: true, seed_count: 2, expanded_count: 3, relation_limit: 7, expansion_limit: 20, respect_tags: false,
      });
    });
  }

  it('shows the associations that led to a memory, and what they say for it', async () => {
    const { results } = await recall('tags=seed&tag_match=exact&expand=1');
    const [seed, twin, , both] = results;
    const followed = [
      { type: 'RELATES_TO', strength: 0.5, from: ids['seed'], seed_rank: 0, seed_score: seed.score },
      { type: 'RELATES_TO', strength: 0.5, from: ids['twin'], seed_rank: 1, seed_score: twin.score },
    ];
    expect(both).to.deep.include({ match_type: 'relation', source: 'graph', relations: followed, related_to: followed });
    expect(both.relation_score).to.be.closeTo(0.5 * 0.8 + 0.5 * 0.4, 1e-9);
    expect(both.score_components.relation).to.equal(both.relation_score);
    expect(both).to.not.have.property('original_score');
    expect(seed.relations[0]).to.include({ direction: 'outgoing' });
    expect(seed).to.not.have.any.keys('related_to', 'relation_score');
  });

  it('scores what is added by the query as well', async () => {
    const { results } = await recall('query=Where+is+paint+bought+from+Meyer&tags=seed&tag_match=exact&expand=true');
    expect(results[2]).to.include({ id: ids['strong'], match_type: 'relation' });
    expect(results[2].score_components.keyword).to.be.greaterThan(0.5);
  });

  it('follows as many associations of each result as it is told, the newest first', async () => {
    expect(await added('limit=1&relation_limit=2')).to.deep.equal(['twin', 'both']);
    expect((await recall('tags=seed&expand=true&relation_limit=2')).expansion.relation_limit).to.equal(2);
  });

  it('adds as many as it is told', async () => {
    for (const name of ['expansion_limit', 'relation_expansion_limit']) expect(await added(`${name}=1`)).to.deep.equal(['strong']);
  });

  it('holds what is added, and never the results, to an importance, a strength and a score', async () => {
    expect(await added('expand_min_importance=0.5')).to.deep.equal(['strong', 'both']);
    expect((await recall('tags=seed&tag_match=exact&expand=true&expand_min_importance=0.9')).count).to.equal(3);
    expect(await added('expand_min_strength=0.5')).to.deep.equal(['strong', 'both']);
    expect(await added('limit=1&relation_limit=1&expand_min_strength=0.9')).to.deep.equal(['twin']);
    expect(await added('limit=1&relation_limit=2&expand_min_strength=0.9')).to.deep.equal(['twin', 'strong']);
    const { results } = await recall('tags=seed&tag_match=exact&limit=1&expand=true');
    const body = await recall(`tags=seed&tag_match=exact&limit=1&expand=true&min_score=${results[2].score - 1e-5}`);
    expect(body.results.map(({ id }: { id: string }) => id)).to.deep.equal(results.slice(0, 3).map(({ id }: { id: string }) => id));
    expect(body.expansion).to.include({ seed_count: 1, expanded_count: 2 });
  });

  it('never adds a type that is excluded, and holds what is added to the other filters, and to the tags on demand', async () => {
    expect(await added('exclude_tags=pai')).to.deep.equal(['both', 'weak']);
    expect(await added('start=2024-02-15')).to.deep.equal(['both', 'weak']);
    expect(await added('expand_respect_tags=true')).to.deep.equal([]);
    const { expansion, results } = await recall('tags=other-seed&tags=tools&tag_mode=any&limit=1&expand=true&expand_respect_tags=true&sort=time_asc');
    expect(expansion).to.include({ respect_tags: true });
    expect(results.slice(1).map(({ id }: { id: string }) => id)).to.have.members([ids['seed'], ids['far']]);
  });

  it('clamps or defaults bad values', async () => {
    const limits = async (query: string) => (await recall(`tags=seed&expand=true&${query}`)).expansion;
    for (const [given, used] of [['0', 1], ['-3', 1], ['999999999999', 200], ['many', 7], ['', 7], ['2.5', 7]] as const) {
      expect((await limits(`relation_limit=${given}`)).relation_limit, given).to.equal(used);
    }
    for (const [given, used] of [['0', 1], ['-3', 1], ['100000', 500], ['NaN', 20], ['', 20]] as const) {
      expect((await limits(`expansion_limit=${given}`)).expansion_limit, given).to.equal(used);
    }
    for (const ignored of ['expand_min_importance=high', 'expand_min_strength=', 'expand_min_strength=-4', 'expand_respect_tags=perhaps']) {
      expect(await added(ignored), ignored).to.deep.equal(['strong', 'both', 'weak']);
    }
    expect(await added('expand_min_importance=7')).to.deep.equal([]);
    expect(await recall('tags=seed&expand=perhaps')).to.not.have.property('expansion');
  });

  it('has nothing to add to an empty answer', async () => {
    const body = await recall('tags=nobody&expand=true');
    expect(body.results).to.deep.equal([]);
    expect(body.expansion).to.include({ seed_count: 0, expanded_count: 0 });
  });
});
