/** What a key that is restricted to a tag stores, changes, deletes and associates. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import type { Engines } from '../../../../deploy/embedded/engines.js';
import { foreignIn, type Opened, openOwnAndForeign, TAG } from './own-and-foreign.js';

describe('writes of a key with a tag', function () {
  this.timeout(180_000);
  let opened: Opened;
  let own: Opened['own'];
  let foreign: Opened['foreign'];
  /** Runs after the next read of this memory for a decision. */
  let interrupt: { readonly id: string; readonly run: () => Promise<unknown> } | null = null;
  const alter = (engines: Engines): Engines => ({
    ...engines,
    graph: {
      ...engines.graph,
      memories: async (ids) => {
        const found = await engines.graph.memories(ids);
        const due = interrupt;
        if (due !== null && ids.some((id) => id === due.id)) {
          interrupt = null;
          await due.run();
        }
        return found;
      },
    },
  });
  beforeEach(async () => {
    opened = await openOwnAndForeign(alter);
    ({ own, foreign } = opened);
  });
  afterEach(() => opened.close());

  const as = (caller: Opened['alice'], method: string, path: string, body?: object) =>
    caller(method, path, body === undefined ? {} : { body });
  const alice = (method: string, path: string, body?: object) => as(opened.alice, method, path, body);
  const memoryOf = async (id: string | undefined) => {
    const { status, body } = await opened.admin('GET', `/memory/${id}`);
    return status === 200 ? body.memory : null;
  };
  const tagsOf = async (id: string | undefined): Promise<readonly string[]> =>
    (await memoryOf(id)).tags.filter((tag: string) => !tag.startsWith('entity:'));

  it('store with the tag, unless a tag is at or below it', async () => {
    const stored = async (body: object) =>
      tagsOf((await alice('POST', '/memory', { content: 'A rope', ...body })).body.memory_id);
    expect(await stored({})).to.deep.equal([TAG]);
    expect(await stored({ tags: 'Agent/Alice' })).to.deep.equal(['Agent/Alice']);
    expect(await stored({ tags: ['x', 'agent:alice:work'] })).to.deep.equal(['x', 'agent:alice:work']);
    expect(await stored({ tags: ['agent:alice2', 'agent'] })).to.deep.equal(['agent:alice2', 'agent', TAG]);
    const batch = await alice('POST', '/memory/batch', {
      memories: [{ content: 'A sail', tags: ['y'] }, { content: 'A mast', tags: [TAG] }, { content: 'A keel' }],
    });
    const tags = await Promise.all(batch.body.memory_ids.map(tagsOf));
    expect(tags).to.deep.equal([['y', TAG], [TAG], [TAG]]);
    const many = Array.from({ length: 100 }, (_, index) => `t${index}`);
    const refused = await alice('POST', '/memory', { content: 'A rope', tags: many });
    expect([refused.status, refused.body.field]).to.deep.equal([400, 'tags']);
  });

  it('store under a new id, whatever id they send', async () => {
    const id = foreign['gate'];
    const answer = await alice('POST', '/memory', { id, memory_id: id, content: 'The zebra lantern hangs' });
    expect(answer.status).to.equal(201);
    expect(answer.body.memory_id).to.not.equal(id);
    expect(foreignIn(answer.body, foreign)).to.deep.equal([]);
    expect((await memoryOf(id)).content).to.include('savanna');
  });

  it('change visible memories, which keep the tag', async () => {
    const changed = async (body: object) => {
      const { status } = await alice('PATCH', `/memory/${own['gate']}`, body);
      expect(status).to.equal(200);
      return tagsOf(own['gate']);
    };
    expect(await changed({ tags: ['moved'] })).to.deep.equal(['moved', TAG]);
    expect(await changed({ tags: null })).to.deep.equal([TAG]);
    expect(await changed({ tags: 'agent:alice:work, z' })).to.deep.equal(['agent:alice:work', 'z']);
    expect(await changed({ content: 'The lantern fell', importance: 0.1 })).to.deep.equal(['agent:alice:work', 'z']);
    const { metadata } = await memoryOf(own['carla']);
    expect((await alice('PATCH', `/memory/${own['carla']}`, { importance: 0.2 })).status).to.equal(200);
    expect((await memoryOf(own['carla'])).metadata, 'what the key does not see stays').to.deep.equal(metadata);
  });

  it('find a foreign memory as little as one that does not exist', async () => {
    const states = () =>
      Promise.all(Object.values(foreign).map(async (id) => ({ ...(await memoryOf(id)), last_accessed: null })));
    const before = await states();
    const missing = randomUUID();
    const requests: readonly ((id: string) => readonly [string, string, object?])[] = [
      (id) => ['PATCH', `/memory/${id}`, { content: 'Taken', tags: [TAG] }],
      (id) => ['PATCH', `/memory/${id}`, {}],
      (id) => ['DELETE', `/memory/${id}`],
      (id) => ['POST', '/associate', { memory1_id: own['gate'], memory2_id: id, type: 'RELATES_TO' }],
      (id) => ['POST', '/associate', { memory1_id: id, memory2_id: own['gate'], type: 'RELATES_TO' }],
    ];
    const ifMatch = { headers: { 'If-Match': '"99"' } };
    for (const id of Object.values(foreign)) {
      for (const request of requests) {
        const [answer, absent] = [await alice(...request(id)), await alice(...request(missing))];
        expect(answer.status, JSON.stringify(request(id))).to.equal(404);
        expect(withoutIds(answer.body, id)).to.deep.equal(withoutIds(absent.body, missing));
      }
      for (const method of ['PATCH', 'DELETE'])
        expect(
          (await opened.alice(method, `/memory/${id}`, { ...ifMatch, ...(method === 'PATCH' && { body: {} }) })).status,
        ).to.equal(404);
    }
    expect(await states()).to.deep.equal(before);
  });

  it('associate visible memories alone, also in a batch', async () => {
    const [gate, work, other] = [own['gate'], own['work'], foreign['bob']];
    const pair = (memory1_id: string | undefined, memory2_id: string | undefined) => ({
      memory1_id,
      memory2_id,
      type: 'PART_OF',
    });
    const { status, body } = await alice('POST', '/associate', {
      associations: [pair(gate, work), pair(gate, other), pair(other, work), pair(gate, randomUUID())],
    });
    expect([status, body.created_count, body.failed_count]).to.deep.equal([207, 1, 3]);
    expect(new Set(body.failed.map(({ reason }: { reason: string }) => reason)).size).to.equal(1);
    expect(foreignIn(body, foreign)).to.deep.equal([]);
    const ends = (await memoryOf(gate)).relations.filter(({ type }: { type: string }) => type === 'PART_OF');
    expect(ends.map(({ memory }: { memory: { id: string } }) => memory.id)).to.deep.equal([work]);
  });

  it('delete visible memories alone, one by one and by tag', async () => {
    expect((await alice('DELETE', `/memory/${own['carla']}`)).status).to.equal(200);
    const answer = await alice('DELETE', '/memory/by-tag?tags=harbour&tags=savanna');
    expect(answer.body).to.deep.include({ status: 'success', deleted_count: 8 });
    expect((await Promise.all(Object.values(own).map(memoryOf))).filter((memory) => memory !== null)).to.deep.equal([]);
    expect((await Promise.all(Object.values(foreign).map(memoryOf))).includes(null)).to.equal(false);
    expect((await alice('DELETE', '/memory/by-tag?tags=savanna')).body.deleted_count).to.equal(0);
  });

  for (const [name, method, body] of [
    ['change', 'PATCH', { content: 'Taken' }],
    ['deletion', 'DELETE', undefined],
  ] as const)
    it(`refuse a ${name} when the memory loses the tag during the decision`, async () => {
      const id = own['work'] ?? '';
      const taken = { content: 'Lantern oil is kept elsewhere', tags: ['agent:bob'] };
      interrupt = { id, run: () => as(opened.admin, 'PATCH', `/memory/${id}`, taken) };
      expect((await alice(method, `/memory/${id}`, body)).status).to.equal(404);
      expect(interrupt).to.equal(null);
      expect(await memoryOf(id)).to.deep.include(taken);
    });

  it('skip a memory that loses the tag during a deletion by tag', async () => {
    const id = own['work'] ?? '';
    interrupt = { id, run: () => as(opened.admin, 'PATCH', `/memory/${id}`, { tags: ['harbour', 'agent:bob'] }) };
    expect((await alice('DELETE', '/memory/by-tag?tags=harbour')).body.deleted_count).to.equal(7);
    expect(interrupt).to.equal(null);
    expect((await memoryOf(id)).tags).to.include('agent:bob');
  });
});

function withoutIds(body: unknown, id: string): unknown {
  const text = JSON.stringify(body).replaceAll(id, 'ID');
  return JSON.parse(text.replace(/"(?:request_id|instance)":"[^"]*"/gu, '"request":""'));
}
