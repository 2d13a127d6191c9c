/**
 * Edge cases of recall in current mode: exact validity bounds, long and circular chains, and successors outside the
 * filters.
 */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

const NOW = new Date('2024-06-01T12:00:00Z');

describe('recall in current mode', () => {
  let service: Service;
  before(async () => {
    service = await startService({ clock: { now: () => NOW } });
  });
  after(() => service.close());

  async function store(content: string, fields: object = {}): Promise<string> {
    return (await service.request('POST', '/memory', { body: { content, type: 'Decision', ...fields } })).body
      .memory_id;
  }
  async function storeChain(tag: string, length: number): Promise<readonly string[]> {
    const ids: string[] = [];
    for (let link = 0; link < length; link += 1)
      ids.push(await store(`Version ${link} of ${tag}`, { tags: [tag, `${tag}-${link}`] }));
    for (const [index, newer] of ids.slice(1).entries()) await supersede(ids[index], newer);
    return ids;
  }
  async function supersede(older: string | undefined, newer: string | undefined): Promise<void> {
    const body = { memory1_id: older, memory2_id: newer, type: 'INVALIDATED_BY' };
    expect((await service.request('POST', '/associate', { body })).status).to.equal(201);
  }
  async function recall(query: string) {
    const { status, body } = await service.request('GET', `/recall?limit=20&${query}`);
    expect(status).to.equal(200);
    return body;
  }
  const idsOf = ({ results }: { results: readonly { id: string }[] }): readonly string[] => results.map(({ id }) => id);

  it('returns a memory from t_valid until just before t_invalid', async () => {
    const starting = await store('A tariff for apples begins', { tags: ['bound'], t_valid: '2024-06-01T12:00:00Z' });
    await store('A tariff for pears begins', { tags: ['bound'], t_valid: '2024-06-01T12:00:00.001Z' });
    const ending = await store('A tariff for plums ends', { tags: ['bound'], t_invalid: '2024-06-01T12:00:00.001Z' });
    await store('A tariff for figs ends', { tags: ['bound'], t_invalid: '2024-06-01T12:00:00Z' });
    await service.settled();
    for (const query of ['tags=bound', 'query=tariff&tags=bound', 'query=customs+duty&tags=bound']) {
      expect(idsOf(await recall(query)), query).to.have.members([starting, ending]);
    }
    const { state_filter } = await recall('tags=bound&state_debug=true');
    expect(state_filter.suppressed.map(({ reason }: { reason: string }) => reason)).to.have.members([
      'not_yet_valid',
      'expired',
    ]);
  });

  it('always counts suppressed memories and lists them with state_debug', async () => {
    const [older, newer] = await storeChain('debug', 2);
    expect((await recall('tags=debug')).state_filter).to.deep.equal({
      current_only: true,
      suppressed_count: 1,
      replacement_count: 0,
    });
    expect((await recall('tags=debug-0')).state_filter).to.deep.equal({
      current_only: true,
      suppressed_count: 1,
      replacement_count: 0,
    });
    expect((await recall('tags=debug&state_debug=on')).state_filter).to.deep.equal({
      current_only: true,
      suppressed_count: 1,
      replacement_count: 0,
      replacements: [],
      suppressed: [{ id: older, reason: 'superseded', replacement_id: newer, relation_type: 'INVALIDATED_BY' }],
    });
  });

  it('follows a chain for five steps and returns only its newest memory', async () => {
    const chain = await storeChain('long', 6);
    expect(idsOf(await recall('tags=long'))).to.deep.equal([chain[5]]);
    const longer = await storeChain('longer', 9);
    expect(idsOf(await recall('tags=longer'))).to.deep.equal([longer[8]]);
    expect((await recall('tags=longer-0&state_debug=1')).state_filter.suppressed[0].replacement_id).to.equal(longer[5]);
  });

  it('returns at least one memory of a long circle', async () => {
    const circle = await storeChain('ring', 7);
    await supersede(circle[6], circle[0]);
    expect((await recall('tags=ring')).count).to.be.at.least(1);
    expect((await recall('tags=ring-3&tags=ring-6')).state_filter).to.include({ suppressed_count: 2 });
  });

  it('returns one memory of a circle of three', async () => {
    const [first, second, third] = await storeChain('circle', 3);
    await supersede(third, first);
    const found = idsOf(await recall('tags=circle'));
    expect(found).to.have.length(1);
    expect([first, second, third]).to.include(found[0]);
  });

  it('leaves out a successor outside the window or with an excluded tag', async () => {
    const older = await store('Rent is 900', { tags: ['rent'], timestamp: '2024-01-10' });
    const newer = await store('Rent is 950', { tags: ['rent', 'private'], timestamp: '2024-05-10' });
    await supersede(older, newer);
    expect(idsOf(await recall('query=rent&tags=rent'))).to.deep.equal([newer]);
    expect(idsOf(await recall('query=rent&tags=rent&end=2024-02-01'))).to.deep.equal([]);
    expect(idsOf(await recall('query=rent&tags=rent&exclude_tags=priv'))).to.deep.equal([]);
    expect(idsOf(await recall('query=rent&tags=rent&end=2024-02-01&state_mode=history'))).to.deep.equal([older]);
  });
});
