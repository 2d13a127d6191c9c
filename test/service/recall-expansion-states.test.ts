/** Expansion and the states of memories: what was added gives way to its successor and never comes back from the past, as what was found. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

describe('recall along associations and states', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function store(content: string, fields: object = {}): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, type: 'Decision', ...fields } });
    expect(answer.status, JSON.stringify(answer.body)).to.equal(201);
    return answer.body.memory_id;
  }
  async function associate(one: string, other: string, type = 'RELATES_TO'): Promise<void> {
    const answer = await service.request('POST', '/associate', { body: { memory1_id: one, memory2_id: other, type, strength: 0.8 } });
    expect(answer.status).to.equal(201);
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?state_debug=true&expand_relations=true&${query}`);
    expect(status).to.equal(200);
    return body;
  }
  const idsOf = ({ results }: { results: readonly { id: string }[] }): readonly string[] => results.map(({ id }) => id);

  it('adds the successor in place of what is superseded, with the way to it', async () => {
    const seed = await store('The press runs on oil', { tags: ['press'] });
    const old = await store('Oil comes from Baker');
    const now = await store('Oil comes from Carter');
    await associate(seed, old);
    await associate(old, now, 'EVOLVED_INTO');
    const body = await recall('tags=press');
    expect(idsOf(body)).to.deep.equal([seed, now]);
    expect(body.results[1]).to.deep.include({
      match_type: 'replacement', state_replaces: old, relation_score: 0.4, relations: [{ type: 'EVOLVED_INTO', strength: 0.8, from: old }],
    });
    expect(body.results[1].related_to[0]).to.include({ type: 'RELATES_TO', from: seed });
    expect(body.state_filter).to.deep.equal({
      current_only: true, suppressed_count: 1, replacement_count: 1,
      suppressed: [{ id: old, reason: 'superseded', replacement_id: now, relation_type: 'EVOLVED_INTO' }],
      replacements: [{ id: now, replaces_id: old, relation_type: 'EVOLVED_INTO' }],
    });
    expect(body.expansion.expanded_count).to.equal(1);
  });

  it('does not bring back what a result succeeded, and counts it once', async () => {
    const old = await store('The kiln burns wood', { tags: ['kiln'] });
    const now = await store('The kiln burns gas', { tags: ['kiln'] });
    await associate(old, now, 'INVALIDATED_BY');
    const body = await recall('tags=kiln');
    expect(idsOf(body)).to.deep.equal([now]);
    expect(body.state_filter.suppressed_count).to.equal(1);
    expect(body.expansion).to.include({ seed_count: 1, expanded_count: 0 });
  });

  it('shows what is superseded in history, as it is', async () => {
    const seed = await store('The mill grinds rye', { tags: ['mill'] });
    const old = await store('Rye is bought in May');
    const now = await store('Rye is bought in June');
    await associate(seed, old);
    await associate(old, now, 'EVOLVED_INTO');
    const body = await recall('tags=mill&state_mode=history');
    expect(idsOf(body)).to.deep.equal([seed, old]);
    expect(body.results[1]).to.include({ match_type: 'relation' });
  });

  it('adds nothing that has lapsed', async () => {
    const seed = await store('The loom is threaded', { tags: ['loom'] });
    const expired = await store('Thread is red until spring', { t_invalid: '2024-01-01T00:00:00Z' });
    const coming = await store('Thread is blue one day', { t_valid: '2999-01-01T00:00:00Z' });
    for (const lapsed of [expired, coming]) await associate(seed, lapsed);
    const body = await recall('tags=loom');
    expect(idsOf(body)).to.deep.equal([seed]);
    expect(body.state_filter.suppressed).to.have.deep.members([{ id: expired, reason: 'expired' }, { id: coming, reason: 'not_yet_valid' }]);
    expect(idsOf(await recall('tags=loom&state_mode=history'))).to.have.members([seed, expired, coming]);
  });

  it('holds a successor to the filters of the request and of the expansion', async () => {
    const seed = await store('The well is deep', { tags: ['well'] });
    const old = await store('Water is drawn by hand', { importance: 0.9 });
    const now = await store('Water is drawn by a pump', { importance: 0.3, tags: ['pump'] });
    await associate(seed, old);
    await associate(old, now, 'EVOLVED_INTO');
    expect(idsOf(await recall('tags=well'))).to.deep.equal([seed, now]);
    expect(idsOf(await recall('tags=well&exclude_tags=pump'))).to.deep.equal([seed]);
    expect(idsOf(await recall('tags=well&expand_min_importance=0.5'))).to.deep.equal([seed]);
  });

  it('adds no second copy of what a result says', async () => {
    const seed = await store('Use **two** nails', { tags: ['nails'] });
    const copy = await store('use two nails!');
    const merged = await store('Use two nails', { tags: ['nails'] });
    const other = await store('Hammers hang on the left');
    for (const one of [seed, merged]) {
      for (const neighbour of [copy, other]) await associate(one, neighbour);
    }
    const { results } = await recall('tags=nails');
    expect(results[0].deduped_from).to.deep.equal([seed, merged].sort());
    expect(idsOf({ results }).slice(1)).to.deep.equal([other]);
  });

  it('adds nothing that was deleted', async () => {
    const seed = await store('The barn is red', { tags: ['barn'] });
    const deleted = await store('The barn was sold');
    await associate(seed, deleted);
    expect((await service.request('DELETE', `/memory/${deleted}`)).status).to.equal(200);
    const body = await recall('tags=barn');
    expect(idsOf(body)).to.deep.equal([seed]);
  });
});
