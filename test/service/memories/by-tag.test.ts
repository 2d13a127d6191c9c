/** GET /memory/by-tag: whole tags, a fixed order, page by page. */
import { expect } from 'chai';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /memory/by-tag', () => {
  let service: Service;
  let ids: string[];
  before(async () => {
    service = await startService();
    ids = [];
    for (const [content, importance, timestamp] of [
      ['low', 0.1, '2024-01-03'],
      ['old', 0.9, '2024-01-01'],
      ['new', 0.9, '2024-01-02'],
    ] as const) {
      const answer = await service.request('POST', '/memory', {
        body: { content, importance, timestamp, tags: ['Team/Red', 'a,b'] },
      });
      ids.push(answer.body.memory_id);
    }
    await service.request('POST', '/memory', {
      body: { content: 'expired', tags: ['lapsed'], t_invalid: '2020-01-01' },
    });
  });
  after(() => service.close());

  const list = async (query: string) => (await service.request('GET', `/memory/by-tag?${query}`)).body;
  const contents = ({ memories }: { memories: readonly { content: string }[] }): readonly string[] =>
    memories.map(({ content }) => content);

  it('orders memories by importance, then time', async () => {
    const body = await list('tags=team/red');
    expect(contents(body)).to.deep.equal(['new', 'old', 'low']);
    expect(body).to.deep.include({
      status: 'success',
      tags: ['team/red'],
      count: 3,
      limit: 20,
      offset: 0,
      has_more: false,
    });
  });

  it('returns pages', async () => {
    const first = await list('tags=team/red&limit=2');
    expect([contents(first), first.has_more]).to.deep.equal([['new', 'old'], true]);
    const second = await list(`tags=team/red&limit=2&offset=${first.count}`);
    expect([contents(second), second.has_more]).to.deep.equal([['low'], false]);
  });

  it('matches any of several whole tags', async () => {
    expect(contents(await list('tags=team&tags=lapsed'))).to.deep.equal(['expired']);
    expect((await list('tags=lapsed&tags=TEAM/RED')).count).to.equal(4);
  });

  it('treats a comma as part of the tag', async () => {
    expect((await list('tags=a,b')).count).to.equal(3);
    expect((await list('tags=a')).count).to.equal(0);
  });

  it('clamps limit and offset', async () => {
    expect(await list('tags=team/red&limit=1000&offset=-5')).to.include({ limit: 200, offset: 0 });
    expect(await list('tags=team/red&limit=0')).to.include({ limit: 1, count: 1 });
    expect(await list('tags=team/red&limit=many&offset=some')).to.include({ limit: 20, offset: 0, count: 3 });
    expect(await list('tags=team/red&offset=3')).to.include({ count: 0, has_more: false });
  });

  it('returns memories with all their fields', async () => {
    const [memory] = (await list('tags=team/red&limit=1')).memories;
    expect(memory).to.deep.include({
      id: ids[2],
      tags: ['Team/Red', 'a,b'],
      tag_prefixes: ['team', 'team:red', 'a,b'],
      metadata: {},
    });
  });

  it('includes superseded and future memories, each once', async () => {
    const tags = ['every', 'state'];
    const [older, newer] = (
      await service.request('POST', '/memory/batch', {
        body: {
          memories: [
            { content: 'older', tags },
            { content: 'newer', tags },
          ],
        },
      })
    ).body.memory_ids;
    await service.request('POST', '/associate', {
      body: { memory1_id: older, memory2_id: newer, type: 'INVALIDATED_BY' },
    });
    await service.request('POST', '/memory', { body: { content: 'not yet', tags, t_valid: '2999-01-01' } });
    const body = await list('tags=every&tags=state&tags=%20');
    expect(contents(body)).to.have.members(['older', 'newer', 'not yet']);
    expect(body.tags).to.deep.equal(['every', 'state']);
    expect(body.memories[0]).to.not.have.any.keys('relations', 'score', 'final_score');
  });

  it('requires a tag', async () => {
    for (const query of ['', 'tags=', 'tags=%20&limit=3']) {
      const { status, body } = await service.request('GET', `/memory/by-tag?${query}`);
      expect(status).to.equal(400);
      expect(body.message).to.equal("'tags' query parameter is required");
    }
  });
});
