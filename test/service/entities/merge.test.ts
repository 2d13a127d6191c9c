/** POST /entity/:slug/merge: what moves, what stays merged, and what is refused. */
import { expect } from 'chai';
import { ADMIN, type MergingService, startMergingService } from '../../support/processes/merging-service.js';

/** More than one round of a merge. */
const MANY = 130;

describe('merging entities', () => {
  let service: MergingService;
  beforeEach(async () => {
    service = await startMergingService();
  });
  afterEach(() => service.close());

  const store = (content: string, tags?: readonly string[]) => service.store(content, tags);
  const merge = (slug: string, into: unknown, headers = {}) =>
    service.request('POST', `/entity/${slug}/merge`, { headers: { ...ADMIN, ...headers }, body: { merge_into: into } });
  const read = async (id: string) => (await service.request('GET', `/memory/${id}`)).body.memory;
  const entity = async (slug: string) => (await service.request('GET', `/entity/${slug}`)).body.entity;

  it('moves tags and names, and survives a new enrichment', async () => {
    const id = await store('Met with Alice Johnson about the budget');
    await store('The other spelling', ['entity:people:alice-m-johnson']);
    await service.settled();
    expect((await read(id)).tags).to.include('entity:people:alice-johnson');
    const before = (await service.request('GET', `/memory/${id}`)).headers.get('etag');

    const { status, body } = await merge('alice-johnson', 'alice-m-johnson');
    expect(status, JSON.stringify(body)).to.equal(200);
    expect(body.merge).to.deep.equal({
      canonical: 'alice-m-johnson',
      alias: 'Alice Johnson',
      alias_slug: 'alice-johnson',
      edges_moved: 1,
    });
    const isMerged = async () => {
      const memory = await read(id);
      expect(memory.tags).to.include('entity:people:alice-m-johnson').and.not.include('entity:people:alice-johnson');
      expect(memory.entities.people).to.deep.equal(['Alice M Johnson']);
      expect(memory.metadata.entities.people).to.deep.equal(['Alice M Johnson']);
    };
    await isMerged();
    expect((await service.request('GET', `/memory/${id}`)).headers.get('etag'), 'the revision stays').to.equal(before);

    const reprocess = { headers: ADMIN, body: { ids: [id] } };
    expect((await service.request('POST', '/enrichment/reprocess', reprocess)).status).to.equal(202);
    await service.settled();
    await isMerged();
    expect(await entity('alice-johnson'), 'an alias leads to its entity').to.deep.include({
      slug: 'alice-m-johnson',
      aliases: ['alice-johnson'],
      reference_count: 2,
    });
    const listed = (await service.request('GET', '/entities')).body.entities.map((one: { slug: string }) => one.slug);
    expect(listed).to.include('alice-m-johnson').and.not.include('alice-johnson');
  });

  it('follows merges in a row, also from an alias', async () => {
    const ids = [];
    for (const slug of ['ann', 'anne', 'anna']) ids.push(await store(`About ${slug}`, [`entity:people:${slug}`]));
    expect((await merge('ann', 'anne')).status).to.equal(200);
    expect((await merge('ann', 'anna')).body.merge, 'its entity is merged').to.include({
      alias_slug: 'anne',
      edges_moved: 2,
    });
    for (const id of ids) expect((await read(id)).tags).to.deep.equal(['entity:people:anna']);
    for (const slug of ['ann', 'anne', 'anna'])
      expect(await entity(slug)).to.deep.include({ slug: 'anna', aliases: ['anne', 'ann'], reference_count: 3 });
    expect((await merge('anna', 'ann')).status, 'no cycle').to.equal(400);
  });

  it('moves what has the old tag later when it is repeated', async () => {
    await store('One', ['entity:tools:vi', 'entity:tools:other']);
    await store('Two', ['entity:tools:vim']);
    await merge('vi', 'vim');
    const late = await store('A caller names the old one', ['entity:tools:vi']);
    expect((await read(late)).tags).to.deep.equal(['entity:tools:vi']);
    const { status, body } = await merge('vi', 'vim');
    expect([status, body.merge.edges_moved]).to.deep.equal([200, 1]);
    expect((await read(late)).tags).to.deep.equal(['entity:tools:vim']);
    expect((await merge('vi', 'vim')).body.merge.edges_moved).to.equal(0);
  });

  it('continues a move that was interrupted, and counts once with a key', async () => {
    await store('Target', ['entity:projects:apollo']);
    const memories = Array.from({ length: MANY }, (_, number) => ({
      content: `Note ${number}`,
      tags: ['entity:projects:apolo'],
    }));
    expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
    await service.settled();
    service.searches.left = 2; // one for the memories of the source, one for the first round
    const key = { 'Idempotency-Key': 'merge-of-the-test' };
    expect((await merge('apolo', 'apollo', key)).status).to.equal(503);
    service.searches.left = Infinity;
    const half = (await entity('apollo')).reference_count;
    expect(half).to.be.within(2, MANY);
    const { status, body } = await merge('apolo', 'apollo', key);
    expect([status, body.merge.edges_moved]).to.deep.equal([200, MANY]);
    expect((await merge('apolo', 'apollo', key)).body.merge.edges_moved).to.equal(MANY);
    expect((await entity('apollo')).reference_count).to.equal(MANY + 1);
  });

  it('lets one of two opposite merges win', async () => {
    await store('One', ['entity:tools:left']);
    await store('Two', ['entity:tools:right']);
    const replies = await Promise.all([merge('left', 'right'), merge('right', 'left')]);
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, 400]);
    expect((await entity('left')).slug).to.equal((await entity('right')).slug);
    expect((await entity('left')).reference_count).to.equal(2);
  });

  it('refuses a missing or equal entity and nonsense', async () => {
    await store('One', ['entity:tools:vim', 'entity:people:same', 'entity:tools:same']);
    const refused = async (slug: string, into: unknown) => {
      const { status, body } = await merge(slug, into);
      return [status, body.message];
    };
    expect(await refused('vim', 'nobody')).to.deep.equal([404, "Target entity 'nobody' not found"]);
    expect(await refused('nobody', 'vim')).to.deep.equal([404, "Entity 'nobody' not found"]);
    expect(await refused('vim', 'VIM')).to.deep.equal([400, 'Source and target entity must be different']);
    for (const into of [undefined, '', '  ', 7, null, ['vim'], {}])
      expect(await refused('vim', into), JSON.stringify(into)).to.deep.equal([400, "'merge_into' slug is required"]);
    expect((await refused('vim', 'x'.repeat(5_000)))[0]).to.equal(404);
    expect((await refused('x'.repeat(2_000), 'vim'))[0]).to.equal(404);
    const body = { merge_into: 'vim' };
    expect((await service.request('POST', '/entity/same/merge', { body })).status, 'admins alone').to.equal(401);
    const raw = { headers: ADMIN, raw: '[]' };
    expect((await service.request('POST', '/entity/vim/merge', raw)).status).to.equal(400);
  });
});
