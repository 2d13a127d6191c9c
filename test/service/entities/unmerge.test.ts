/** POST /entity/:slug/unmerge: what goes back, what stays, what is enriched again, and what is refused. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { differencesOfService } from '../../support/checks/compare-deployment.js';
import { until } from '../../support/checks/until.js';
import { ADMIN, type MergingService, startMergingService } from '../../support/processes/merging-service.js';

/** More than one round of an undo. */
const MANY = 130;

describe('undoing a merge of entities', () => {
  let service: MergingService;
  beforeEach(async () => {
    service = await startMergingService();
  });
  afterEach(() => service.close());

  const store = (content: string, tags?: readonly string[]) => service.store(content, tags);
  async function merge(slug: string, into: string): Promise<void> {
    const reply = await service.request('POST', `/entity/${slug}/merge`, {
      headers: ADMIN,
      body: { merge_into: into },
    });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
  }
  const unmerge = (path: string, headers = {}) => {
    const [slug = '', query] = path.split('?');
    const address = `/entity/${slug}/unmerge${query === undefined ? '' : `?${query}`}`;
    return service.request('POST', address, { headers: { ...ADMIN, ...headers } });
  };
  async function undo(path: string, headers = {}) {
    const { status, body } = await unmerge(path, headers);
    expect(status, JSON.stringify(body)).to.equal(200);
    return body.unmerge;
  }
  const read = async (id: string) => (await service.request('GET', `/memory/${id}`)).body.memory;
  const tagsOf = async (id: string): Promise<string[]> => (await read(id)).tags;
  const etagOf = async (id: string) => (await service.request('GET', `/memory/${id}`)).headers.get('etag');
  const entity = async (slug: string) => (await service.request('GET', `/entity/${slug}`)).body.entity;
  const tool = (slug: string) => `entity:tools:${slug}`;

  it('gives back what the merge took, and nothing else', async () => {
    const [left, both, right] = [
      await store('One', [tool('vi'), 'editor']),
      await store('Two', [tool('vi'), tool('vim')]),
      await store('Three', [tool('vim')]),
    ];
    const before = [await tagsOf(left), await tagsOf(both), await tagsOf(right)];
    await merge('vi', 'vim');
    const late = await store('Stored since the merge', [tool('vim')]);
    const etag = await etagOf(left);

    expect(await undo('vi')).to.deep.equal({
      canonical: 'vim',
      alias: 'Vi',
      alias_slug: 'vi',
      edges_moved: 2,
      enrichments_requested: 0,
    });
    const after = [await tagsOf(left), await tagsOf(both), await tagsOf(right)];
    expect(after.map((tags) => [...tags].sort())).to.deep.equal(before.map((tags) => [...tags].sort()));
    expect(await tagsOf(late)).to.deep.equal([tool('vim')]);
    expect(await etagOf(left), 'the revision stays').to.equal(etag);
    expect(await entity('vi')).to.deep.include({ slug: 'vi', aliases: [], reference_count: 2 });
    expect(await entity('vim')).to.deep.include({ slug: 'vim', aliases: [], reference_count: 3 });

    const { events } = (await service.request('GET', '/events?type=entity.updated&limit=500')).body;
    const event = events.find((one: { data?: { changed: string[] } }) => one.data?.changed.includes('merged_into'));
    expect(event, JSON.stringify(events)).to.include({ actortier: 'admin' });
    expect(event.data.entity).to.not.have.property('merged_into');
    await service.settled();
    expect(await differencesOfService(service)).to.deep.equal([]);
    const records = () => service.engines.graph.entityPage({ after: '', limit: 100 });
    const known = await records();
    await service.engines.graphWriter.apply(await service.engines.journal.read({ after: 0, limit: 1_000 }));
    const { body } = await service.request('POST', '/admin/projections/graph/rebuild', { headers: ADMIN });
    await until('the rebuild ends', async () => {
      const { job } = (await service.request('GET', `/admin/jobs/${body.job.id}`, { headers: ADMIN })).body;
      return job.state === 'done';
    });
    expect(await records(), 'after redelivery and rebuild').to.deep.equal(known);
    expect(await tagsOf(left)).to.deep.equal(after[0]);
    const head = await service.engines.journal.head();
    expect(await undo('vi'), 'a repeat').to.include({ edges_moved: 0, enrichments_requested: 0 });
    expect(await service.engines.journal.head(), 'a repeat changes nothing').to.equal(head);
  });

  it('lets contents decide what was enriched since', async () => {
    const early = await store('Met with Alice Johnson about the budget');
    const both = await store('Robert Smith called Alice Johnson');
    await service.settled();
    await merge('alice-johnson', 'robert-smith');
    const since = await store('Alice Johnson opened the harbour project');
    const own = await store('A caller names the other', ['entity:people:robert-smith']);
    await service.settled();
    expect(await tagsOf(since)).to.include('entity:people:robert-smith');

    expect(await undo('alice-johnson')).to.include({ edges_moved: 2, enrichments_requested: 2 });
    await service.settled();
    const names = async (id: string) => {
      const { tags, entities, metadata } = await read(id);
      expect(metadata.entities?.people ?? []).to.deep.equal(entities?.people ?? []);
      return [tags.filter((tag: string) => tag.startsWith('entity:people:')).sort(), entities?.people ?? []];
    };
    const alice = [['entity:people:alice-johnson'], ['Alice Johnson']];
    expect(await names(early)).to.deep.equal(alice);
    expect(await names(since)).to.deep.equal(alice);
    expect(await names(both)).to.deep.equal([
      ['entity:people:alice-johnson', 'entity:people:robert-smith'],
      ['Alice Johnson', 'Robert Smith'],
    ]);
    expect(await names(own)).to.deep.equal([['entity:people:robert-smith'], []]);
    expect(await undo('alice-johnson'), 'a repeat').to.include({ edges_moved: 0, enrichments_requested: 0 });
  });

  it('follows merges in a row, in any order of undoing', async () => {
    const ids: MemoryId[] = [];
    for (const slug of ['ann', 'anne', 'anna']) ids.push(await store(`About ${slug}`, [`entity:people:${slug}`]));
    const slugs = async () => (await Promise.all(ids.map(tagsOf))).map((tags) => tags.join().split(':').at(-1));
    const chain = async () => {
      await merge('ann', 'anne');
      await merge('anne', 'anna');
      expect(await slugs()).to.deep.equal(['anna', 'anna', 'anna']);
    };
    await chain();
    expect(await undo('ann')).to.include({ canonical: 'anna', edges_moved: 1 });
    expect(await slugs()).to.deep.equal(['ann', 'anna', 'anna']);
    expect((await entity('anna')).aliases).to.deep.equal(['anne']);
    expect(await undo('anne')).to.include({ edges_moved: 1 });
    expect(await slugs()).to.deep.equal(['ann', 'anne', 'anna']);

    await chain();
    expect(await undo('anne'), 'with an entity below it').to.include({ edges_moved: 2 });
    expect(await slugs()).to.deep.equal(['anne', 'anne', 'anna']);
    expect(await entity('ann')).to.deep.include({ slug: 'anne', aliases: ['ann'], reference_count: 2 });
    expect((await entity('anna')).aliases).to.deep.equal([]);
    expect(await undo('ann')).to.include({ canonical: 'anne', edges_moved: 1 });
    expect(await slugs()).to.deep.equal(['ann', 'anne', 'anna']);
  });

  it('continues after an interruption, counts once', async () => {
    await store('Target', ['entity:projects:apollo']);
    const memories = Array.from({ length: MANY }, (_, number) => ({
      content: `Note ${number}`,
      tags: ['entity:projects:apolo'],
    }));
    expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
    await service.settled();
    await merge('apolo', 'apollo');
    service.searches.left = 1;
    const key = { 'Idempotency-Key': 'undo-of-the-test' };
    expect((await unmerge('apolo', key)).status).to.equal(503);
    service.searches.left = Infinity;
    expect((await entity('apollo')).reference_count).to.be.within(2, MANY);
    expect(await undo('apolo', key)).to.include({ edges_moved: MANY });
    expect(await undo('apolo', key)).to.include({ edges_moved: MANY });
    expect((await entity('apollo')).reference_count).to.equal(1);
    expect((await entity('apolo')).reference_count).to.equal(MANY);
  });

  it('and repeating the merge at once ends on one side', async () => {
    const memories = Array.from({ length: MANY }, (_, number) => ({ content: `N ${number}`, tags: [tool('left')] }));
    expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
    await store('One', [tool('right')]);
    await service.settled();
    await merge('left', 'right');
    const [undone, again] = await Promise.all([
      unmerge('left'),
      service.request('POST', '/entity/left/merge', { headers: ADMIN, body: { merge_into: 'right' } }),
    ]);
    expect([undone.status, again.status]).to.deep.equal([200, 200]);
    const isMerged = (await entity('left')).slug === 'right';
    if (isMerged) await merge('left', 'right');
    else await undo('left');
    expect(await entity('right')).to.include({ reference_count: isMerged ? MANY + 1 : 1 });
  });

  it('ends their candidacy, but a caller can merge again', async () => {
    const pair = ['entity:people:alice-johnson', 'entity:people:alice'];
    const ids = [await store('First', pair), await store('Second', pair)];
    const candidates = async () => (await service.request('GET', '/entities/merge-candidates')).body.count;
    expect(await candidates()).to.equal(1);
    await merge('alice', 'alice-johnson');
    await undo('alice');
    for (const id of ids) expect(await tagsOf(id)).to.have.members(pair);
    expect(await candidates()).to.equal(0);
    await merge('alice', 'alice-johnson');
    for (const id of ids) expect(await tagsOf(id)).to.deep.equal(['entity:people:alice-johnson']);
    expect(await undo('alice')).to.include({ edges_moved: 2 });
    expect(await entity('alice')).to.include({ reference_count: 2 });

    await store('A third one', ['entity:people:ali']);
    await merge('alice', 'ali');
    expect(await candidates(), 'by way of a third entity').to.equal(0);
    expect((await unmerge('ali')).status, 'it was not merged itself').to.equal(404);
    expect(await undo('alice')).to.include({ canonical: 'ali', edges_moved: 2 });
  });

  it('refuses an entity that is not merged and unclear slugs', async () => {
    for (const category of ['people', 'tools'])
      await store(`One of ${category}`, [
        `entity:${category}:same`,
        `entity:${category}:other`,
        `entity:${category}:x`,
      ]);
    const refused = async (path: string) => {
      const { status, body } = await unmerge(path);
      return [status, body.message];
    };
    expect(await refused('unknown')).to.deep.equal([404, "Entity 'unknown' not found"]);
    expect((await refused('x'.repeat(2_000)))[0]).to.equal(404);
    expect((await refused('%20'))[0]).to.equal(404);
    const [status, message] = await refused('x');
    expect(status).to.equal(404);
    expect(message).to.match(/^Entity 'x' is not merged into another one: .*'aliases'/u);
    for (const category of ['people', 'tools']) {
      const body = { merge_into: 'other' };
      const address = `/entity/same/merge?category=${category}`;
      expect((await service.request('POST', address, { headers: ADMIN, body })).status).to.equal(200);
    }
    expect(await refused('same')).to.deep.equal([
      400,
      "Entities of several categories were merged: 'category' must be one of people, tools",
    ]);
    expect(await undo('same?category=tool')).to.include({ edges_moved: 1 });
    expect((await service.request('POST', '/entity/same/unmerge')).status, 'admins alone').to.equal(401);
  });

  it('leaves the alias to an entity of another category', async () => {
    const ids = [await store('One', ['entity:people:blue']), await store('Two', [tool('blue')])];
    await store('Three', ['entity:organizations:acme']);
    await merge('blue', 'acme');
    await merge('blue', 'acme');
    for (const id of ids) expect(await tagsOf(id)).to.deep.equal(['entity:organizations:acme']);
    expect(await undo('blue?category=people')).to.include({ canonical: 'acme', edges_moved: 1 });
    expect(await entity('acme')).to.deep.include({ aliases: ['blue'], reference_count: 2 });
    expect(await undo('blue')).to.include({ edges_moved: 1 });
    expect(await entity('acme')).to.deep.include({ aliases: [], reference_count: 1 });
    expect(await tagsOf(ids[1] as MemoryId)).to.deep.equal([tool('blue')]);
  });

  it('is a 404 once each memory of the entity is deleted', async () => {
    const id = await store('One', [tool('vi')]);
    await store('Two', [tool('vim')]);
    await merge('vi', 'vim');
    expect((await service.request('DELETE', `/memory/${id}`)).status).to.equal(200);
    await service.settled();
    expect((await unmerge('vi')).status).to.equal(404);
    expect((await entity('vim')).aliases).to.deep.equal([]);
  });

  it('forgets the other entity with its last memory', async () => {
    await store('One', [tool('vi')]);
    const other = await store('Two', [tool('vim')]);
    await merge('vi', 'vim');
    await undo('vi');
    const records = async () => JSON.stringify(await service.engines.graph.entityPage({ after: '', limit: 100 }));
    expect(await records()).to.include('"slug":"vim"');
    expect((await service.request('DELETE', `/memory/${other}`)).status).to.equal(200);
    await service.settled();
    expect(await records()).to.not.include('"vim"');
    expect((await unmerge('vi')).status).to.equal(404);
  });
});
