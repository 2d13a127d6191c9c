/** GET /memories/:id/related: associations in both directions, over up to three steps. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /memories/:id/related', () => {
  let service: Service;
  /** One chain a - b - c - d - e, and a newer association a - c of another type. */
  const ids: Record<string, string> = {};
  before(async () => {
    service = await startService();
    for (const [name, importance, timestamp] of [
      ['a', 0.5, '2024-01-01'],
      ['b', 0.4, '2024-01-01'],
      ['c', 0.9, '2024-01-01'],
      ['d', 0.4, '2024-01-02'],
      ['e', 0.4, '2024-01-02'],
    ] as const) {
      const body = { content: `memory ${name}`, importance, timestamp };
      ids[name] = (await service.request('POST', '/memory', { body })).body.memory_id;
    }
    await associate('b', 'a', 'LEADS_TO');
    await associate('b', 'c', 'RELATES_TO');
    await associate('d', 'c', 'PART_OF');
    await associate('d', 'e', 'RELATES_TO');
  });
  after(() => service.close());

  const associate = (one: string, other: string, type: string) =>
    service.request('POST', '/associate', { body: { memory1_id: ids[one], memory2_id: ids[other], type } });
  const related = async (id: string, query = '') =>
    (await service.request('GET', `/memories/${id}/related${query}`)).body;
  const names = ({ related_memories: memories }: { related_memories: readonly { content: string }[] }) =>
    memories.map(({ content }) => content.slice(-1)).join('');

  it('follows one association in either direction', async () => {
    expect(names(await related(ids.a ?? ''))).to.equal('b');
    expect(names(await related(ids.b ?? ''))).to.equal('ca');
  });

  it('follows up to three, most important first, then newest', async () => {
    expect(names(await related(ids.a ?? '', '?max_depth=2'))).to.equal('cb');
    const body = await related(ids.a ?? '', '?max_depth=9');
    expect([names(body), body.max_depth, body.truncated]).to.deep.equal(['cdb', 3, false]);
  });

  it('cuts the answer at its limit', async () => {
    const body = await related(ids.a ?? '', '?max_depth=3&limit=2');
    expect([names(body), body.count, body.limit]).to.deep.equal(['cd', 2, 2]);
  });

  it('follows only the given types', async () => {
    const body = await related(ids.a ?? '', '?max_depth=3&relationship_types=leads_to,Part_Of,NOT_A_TYPE');
    expect([names(body), body.relationship_types]).to.deep.equal(['b', ['LEADS_TO', 'PART_OF']]);
    expect((await related(ids.a ?? '', '?relationship_types=explains')).relationship_types).to.deep.equal([
      'DISCOVERED',
    ]);
  });

  it('uses the defaults in place of values that it cannot read', async () => {
    const body = await related(ids.a ?? '', '?max_depth=deep&limit=many&relationship_types=NOT_A_TYPE');
    expect(body).to.include({ count: 1, max_depth: 1, limit: 5 });
    expect(body.relationship_types).to.have.length(11);
  });

  it('answers an unknown id and other texts with an empty list', async () => {
    for (const key of ['00000000-0000-4000-8000-000000000000', 'no-id', 'x'.repeat(5_000)]) {
      expect(await related(key)).to.include({ status: 'success', count: 0 });
    }
  });
});
