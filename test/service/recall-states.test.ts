/** Recall and the states of memories: what is superseded or out of date gives way to what is current. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

type Result = { readonly id: string; readonly match_type: string; readonly state_replaces?: string; readonly relations: readonly unknown[] };

describe('recall and states', () => {
  let service: Service;
  before(async () => {
    service = await startService();
  });
  after(() => service.close());

  async function store(content: string, tag: string, fields: Record<string, unknown> = {}): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, tags: [tag], ...fields } });
    expect(answer.status).to.equal(201);
    return answer.body.memory_id;
  }
  async function associate(older: string, newer: string, type = 'EVOLVED_INTO'): Promise<void> {
    const answer = await service.request('POST', '/associate', { body: { memory1_id: older, memory2_id: newer, type, strength: 0.8 } });
    expect(answer.status).to.equal(201);
  }
  async function recall(parameters: Record<string, string>) {
    await service.settled();
    const answer = await service.request('GET', `/recall?${new URLSearchParams(parameters)}`);
    expect(answer.status).to.equal(200);
    return answer.body;
  }
  const idsOf = ({ results }: { results: readonly Result[] }): readonly string[] => results.map(({ id }) => id);

  it('suppresses what is superseded and answers the head of its chain', async () => {
    const first = await store('We deploy with Jenkins', 'chain');
    const second = await store('We deploy with Travis', 'chain');
    const third = await store('We deploy with Buildkite', 'chain');
    await associate(first, second);
    await associate(second, third, 'INVALIDATED_BY');
    const body = await recall({ query: 'Jenkins', tags: 'chain', state_debug: 'true' });
    expect(idsOf(body)).to.deep.equal([third]);
    expect(body.state_filter.suppressed).to.have.deep.members([
      { id: first, reason: 'superseded', replacement_id: third, relation_type: 'EVOLVED_INTO' },
      { id: second, reason: 'superseded', replacement_id: third, relation_type: 'INVALIDATED_BY' },
    ]);
    expect(body.results[0]).to.deep.include({
      match_type: 'replacement', state_replaces: first, relations: [{ type: 'EVOLVED_INTO', strength: 0.8, from: first }],
    });
    expect(body.state_filter).to.deep.include({ suppressed_count: 2, replacement_count: 1 });
  });

  it('shows all of them in history', async () => {
    const older = await store('The office is in Berlin', 'past');
    const newer = await store('The office is in Hamburg', 'past');
    await associate(older, newer);
    const body = await recall({ query: 'office', tags: 'past', state_mode: 'history' });
    expect(idsOf(body)).to.have.members([older, newer]);
    expect(body).to.not.have.property('state_filter');
    expect(idsOf(await recall({ tags: 'past', current_only: 'false' }))).to.have.members([older, newer]);
  });

  it('does not answer a head that the request does not admit', async () => {
    const older = await store('Lunch is at noon', 'lunch');
    const newer = await store('Lunch is at one', 'elsewhere');
    await associate(older, newer);
    const body = await recall({ query: 'lunch', tags: 'lunch' });
    expect(body.results).to.deep.equal([]);
    expect(body.state_filter).to.include({ suppressed_count: 1, replacement_count: 0 });
  });

  it('hides what is expired and what is not valid yet', async () => {
    await store('The sale runs in May', 'bounds', { t_invalid: '2020-06-01T00:00:00Z' });
    await store('The sale runs again', 'bounds', { t_valid: '2999-01-01T00:00:00Z' });
    const current = await store('There is no sale', 'bounds');
    const body = await recall({ query: 'sale', tags: 'bounds', state_debug: 'true' });
    expect(idsOf(body)).to.deep.equal([current]);
    expect(body.state_filter.suppressed.map(({ reason }: { reason: string }) => reason)).to.have.members(['expired', 'not_yet_valid']);
  });

  it('replaces what is expired by its successor, also from outside the candidates', async () => {
    const older = await store('Wifi password is on the fridge', 'wifi', { t_invalid: '2020-01-01T00:00:00Z' });
    const newer = await store('Ask Dana', 'wifi');
    await associate(older, newer);
    const [result] = (await recall({ query: 'fridge', tags: 'wifi' })).results;
    expect(result).to.include({ id: newer, match_type: 'replacement', state_replaces: older });
  });

  it('is not superseded by what has expired itself', async () => {
    const older = await store('Standup at nine', 'standup');
    const newer = await store('Standup at ten in summer', 'standup', { t_invalid: '2020-01-01T00:00:00Z' });
    await associate(older, newer);
    expect(idsOf(await recall({ query: 'standup', tags: 'standup' }))).to.deep.equal([older]);
  });

  it('keeps the latest word of a cycle', async () => {
    const one = await store('Tabs', 'cycle');
    const other = await store('Spaces', 'cycle');
    await associate(one, other);
    await associate(other, one);
    expect(idsOf(await recall({ tags: 'cycle' }))).to.deep.equal([one]);
  });

  it('does not suppress for a contradiction', async () => {
    const one = await store('The sky is blue', 'sky');
    const other = await store('The sky is grey', 'sky');
    await associate(one, other, 'CONTRADICTS');
    expect(idsOf(await recall({ query: 'sky', tags: 'sky' }))).to.have.members([one, other]);
  });

  it('brings a memory back when its end is removed', async () => {
    const id = await store('Back again', 'back', { t_invalid: '2020-01-01T00:00:00Z' });
    expect(idsOf(await recall({ query: 'back', tags: 'back' }))).to.deep.equal([]);
    await service.request('PATCH', `/memory/${id}`, { body: { t_invalid: null } });
    expect(idsOf(await recall({ query: 'back', tags: 'back' }))).to.deep.equal([id]);
  });
});
