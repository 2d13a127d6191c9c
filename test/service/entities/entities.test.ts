/** The routes that read entities: what they show of the tags of memories, and what they refuse. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = { headers: { 'X-Admin-Token': 'admin-of-the-tests' } };
const at = (day: number): string => `2026-06-0${day}T08:00:00+00:00`;

describe('entities', () => {
  let service: Service;
  let firstOfTool: MemoryId;
  before(async () => {
    service = await startService({ variables: { ADMIN_API_TOKEN: 'admin-of-the-tests' } });
    const store = async (content: string, day: number, tags: readonly string[]): Promise<MemoryId> => {
      const body = { content, timestamp: at(day), tags };
      const reply = await service.request('POST', '/memory', { body });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
      return reply.body.memory_id as MemoryId;
    };
    await store('Alice Johnson moved', 1, ['entity:people:alice-johnson', 'entity:people:alice']);
    await store('Alice Johnson arrived', 2, [
      'entity:people:alice-johnson',
      'entity:people:alice',
      'Entity:Tools:Redis',
    ]);
    await store('Alice wrote', 3, ['entity:people:alice-johnson']);
    firstOfTool = await store('A config', 4, ['entity:projects:config', 'entity:tools:alice', 'entity:planets:mars']);
    await store('More config', 5, ['entity:projects:config', 'entity:person:bob-smith-s', 'entity:people:a:b']);
    await store('An emoji', 6, ['entity:concepts:日本語', 'project:entity:people:no']);
  });
  after(() => service.close());

  const get = (path: string, options = {}) => service.request('GET', path, options);
  const listed = async (query = '') =>
    (await get(`/entities${query}`)).body.entities.map((one: { id: string }) => one.id);

  it('are listed by the number of their memories', async () => {
    const { status, body } = await get('/entities');
    expect(status).to.equal(200);
    expect(body.count).to.equal(body.entities.length);
    expect(body.entities[0]).to.deep.equal({
      id: 'entity:people:alice-johnson',
      slug: 'alice-johnson',
      category: 'people',
      name: 'Alice Johnson',
      aliases: [],
      identity: null,
      identity_version: 0,
      identity_updated_at: null,
      identity_source_count: null,
      reference_count: 3,
      created_at: at(1),
      last_referenced_at: at(3),
    });
    expect(await listed()).to.deep.equal([
      'entity:people:alice-johnson',
      'entity:people:alice',
      'entity:projects:config',
      'entity:concepts:日本語',
      'entity:tools:alice',
      'entity:tools:redis',
    ]);
    expect(await listed('?limit=2')).to.have.length(2);
    expect(await listed('?category=people')).to.deep.equal(['entity:people:alice-johnson', 'entity:people:alice']);
    expect(await listed('?category=Tool'), 'in the singular').to.deep.equal([
      'entity:tools:alice',
      'entity:tools:redis',
    ]);
    expect(await listed('?category=planets')).to.deep.equal([]);
    expect(await listed('?limit=1000000000')).to.have.length(6);
  });

  for (const [limit, message] of [
    ['x', 'must be an integer'],
    ['1.5', 'must be an integer'],
    ['1e3', 'must be an integer'],
    ['0', 'must be between 1 and 500'],
    ['-7', 'must be between 1 and 500'],
  ] as const) {
    it(`refuse the limit ${limit}`, async () => {
      const { status, body } = await get(`/entities?limit=${limit}`);
      expect([status, body.message]).to.deep.equal([400, `Invalid limit parameter — ${message}`]);
    });
  }

  it('are shown by their slug, the most referenced of several categories', async () => {
    const one = async (path: string) => (await get(`/entity/${path}`)).body.entity?.id;
    expect(await one('alice-johnson')).to.equal('entity:people:alice-johnson');
    expect(await one('ALICE')).to.equal('entity:people:alice');
    expect(await one('alice?category=tools')).to.equal('entity:tools:alice');
    expect(await one(encodeURIComponent('日本語'))).to.equal('entity:concepts:日本語');
    for (const slug of ['nobody', 'mars', 'a:b', '%20', 'x'.repeat(2_000), 'alice%2F', '%00']) {
      const { status, body } = await get(`/entity/${slug}`);
      expect(status, slug.slice(0, 20)).to.equal(404);
      expect(body.message).to.match(/^Entity '.{0,103}' not found$/u);
    }
  });

  it('have merge candidates by their slugs and shared memories', async () => {
    const { status, body } = await get('/entities/merge-candidates');
    expect(status).to.equal(200);
    expect(body).to.deep.include({ count: 1, truncated: false });
    expect(body.candidates[0]).to.include({
      entity_a: 'entity:people:alice-johnson',
      entity_b: 'entity:people:alice',
      canonical: 'alice-johnson',
      alias: 'alice',
      confidence: 0.84,
      auto_merge: true,
    });
  });

  it('are audited by the rules of the gate', async () => {
    const { status, body } = await get('/entities/audit?include_merge_candidates=yes', ADMIN);
    expect(status).to.equal(200);
    const bob = body.accepted.find(({ slug }: { slug: string }) => slug === 'bob-smith');
    expect(bob).to.deep.include({
      id: 'entity:people:bob-smith',
      source_tags: ['entity:person:bob-smith-s'],
      references: 1,
      confidence: 0.95,
    });
    const reasons = new Map(
      body.rejected_entities.map((one: { tag: string; reason: string }) => [one.tag, one.reason]),
    );
    expect(reasons).to.deep.equal(
      new Map([
        ['entity:people:a:b', 'invalid_entity_tag'],
        ['entity:planets:mars', 'unknown_category'],
      ]),
    );
    expect(body.rejected_entities.find(({ tag }: { tag: string }) => tag === 'entity:planets:mars').memory_id).to.equal(
      firstOfTool,
    );
    expect(body.counts).to.include({ rejected_entities: 2, merge_candidates: 1, auto_merge_candidates: 1 });
    expect(body.counts_by_category.people).to.deep.equal({ accepted: 3, rejected: 1 });
    expect(body).to.deep.include({
      dry_run: true,
      limit: 100,
      offset: 0,
      summary: false,
      merge_candidates_skipped: false,
    });
  });

  it('are audited in pages, by category and reason, and as a summary', async () => {
    const audit = async (query: string) => (await get(`/entities/audit?${query}`, ADMIN)).body;
    expect((await audit('limit=1&offset=1')).accepted).to.have.length(1);
    const ofReason = await audit('reason=unknown_category');
    expect([ofReason.accepted, ofReason.rejected_entities.length]).to.deep.equal([[], 1]);
    expect((await audit('category=planets')).counts).to.include({ accepted_entities: 0, rejected_entities: 1 });
    const summary = await audit('summary=1');
    expect(summary).to.include.keys('accepted_sample', 'rejected_sample');
    expect(summary).to.not.include.keys('accepted', 'rejected_entities');
    expect(summary.merge_candidates_skipped).to.equal(true);
  });

  it('are audited for administrators alone, and refuse bad numbers with 400', async () => {
    expect((await get('/entities/audit')).status).to.equal(401);
    for (const query of ['limit=x', 'limit=0', 'offset=-1', 'offset=1.5'])
      expect((await get(`/entities/audit?${query}`, ADMIN)).status, query).to.equal(400);
    expect((await get('/entities/audit?limit=100000&offset=999999999999', ADMIN)).body.accepted).to.deep.equal([]);
  });
});
