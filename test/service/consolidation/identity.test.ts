/** The task `identity`: certain merges, texts of a language model, and where they are shown. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Clock } from '../../../shared/kernel/clock.js';
import { until } from '../../support/checks/until.js';
import { withRecall } from '../../support/fixtures/query-config.js';
import { type Service, startService } from '../../support/processes/service.js';
import { type EmbeddingServer, startEmbeddingServer } from '../../support/servers/embedding-server.js';

const MODEL = 'model-of-the-test';

describe('the identities of entities', () => {
  let provider: EmbeddingServer;
  let service: Service | undefined;
  /** What the model answers; null: an error. */
  let answer: string | null;
  before(async () => {
    provider = await startEmbeddingServer(() =>
      answer === null ? { status: 500 } : { body: { choices: [{ message: { content: answer } }] } },
    );
  });
  after(() => provider.close());
  beforeEach(() => {
    answer = 'Alice Johnson leads the harbour project.';
    provider.requests.length = 0;
  });
  afterEach(() => service?.close());

  async function start(variables: Readonly<Record<string, string>> = {}, clock?: Clock): Promise<Service> {
    service = await startService({
      ...(clock && { clock }),
      variables: {
        PROJECTORS: 'vector-indexer,consolidator',
        IDENTITY_SYNTHESIS_ENABLED: 'true',
        IDENTITY_SYNTHESIS_MODEL: MODEL,
        CLASSIFICATION_BASE_URL: provider.url,
        ...variables,
      },
      query: withRecall({ identityRefreshMs: 0 }),
    });
    return service;
  }
  async function store(caller: Service, content: string, tags: readonly string[]): Promise<MemoryId> {
    const reply = await caller.request('POST', '/memory', { body: { content, tags, type: 'Context' } });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(201);
    return reply.body.memory_id as MemoryId;
  }
  async function run(caller: Service, isDry = false) {
    await caller.settled();
    const reply = await caller.request('POST', '/consolidate', { body: { mode: 'identity', dry_run: isDry } });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    return reply.body.consolidation.steps.identity;
  }
  const entity = async (caller: Service, slug: string) => (await caller.request('GET', `/entity/${slug}`)).body.entity;
  /** The requests that describe an entity. */
  const asked = () =>
    provider.requests
      .filter(({ body }) => body['model'] === MODEL)
      .map(
        ({ body }) =>
          JSON.parse((body['messages'] as { content: string }[]).at(-1)?.content ?? '') as Record<string, unknown>,
      );

  it('are skipped unless enabled, and without a model', async () => {
    let caller = await start({ IDENTITY_SYNTHESIS_ENABLED: 'false' });
    expect(await run(caller)).to.deep.equal({ skipped: true, reason: 'Identity synthesis is disabled' });
    expect((await caller.request('GET', '/consolidate/status')).body.next_runs.identity).to.equal('Disabled');
    await caller.close();
    caller = await start({ LANGUAGE_PROVIDER: 'none' });
    expect(await run(caller)).to.deep.equal({ skipped: true, reason: 'No OpenAI client available' });
    expect((await caller.request('GET', '/consolidate/status')).body.next_runs.identity).to.match(/^In [67] days$/u);
  });

  it('are written after certain merges and shown by recall', async () => {
    const caller = await start();
    const both = ['entity:people:alice-johnson', 'entity:people:alice'];
    await store(caller, 'Alice Johnson opened the harbour project', both);
    const id = await store(caller, 'Alice Johnson leads the harbour project', both);
    expect(await run(caller, true), 'a dry run').to.deep.include({ merges_performed: [], identities_synthesized: 0 });
    expect(asked()).to.deep.equal([]);

    const first = await run(caller);
    expect(first.merges_performed).to.deep.equal([
      { canonical: 'alice-johnson', alias: 'Alice', alias_slug: 'alice', edges_moved: 2 },
    ]);
    expect(first).to.deep.include({ identities_synthesized: 1, entities_examined: 1, errors: [] });
    expect((await caller.request('GET', `/memory/${id}`)).body.memory.tags).to.deep.equal([
      'entity:people:alice-johnson',
    ]);
    expect(asked()).to.have.length(1);
    expect(asked()[0]).to.deep.include({ name: 'Alice Johnson', category: 'people', description_so_far: null });
    expect(asked()[0]?.['notes']).to.have.length(2);
    expect(await entity(caller, 'alice')).to.deep.include({
      slug: 'alice-johnson',
      aliases: ['alice'],
      identity: 'Alice Johnson leads the harbour project.',
      identity_version: 1,
      identity_source_count: 2,
    });

    const settled = await caller.engines.journal.head();
    expect(await run(caller)).to.deep.include({ merges_performed: [], identities_synthesized: 0 });
    expect(await caller.engines.journal.head(), 'a second run changes nothing').to.equal(settled);

    await store(caller, 'Alice Johnson moved to Oslo', ['entity:people:alice-johnson']);
    answer = 'Alice Johnson moved to Oslo.';
    expect(await run(caller)).to.include({ identities_synthesized: 1 });
    expect(asked().at(-1)).to.include({ description_so_far: 'Alice Johnson leads the harbour project.' });

    const shown = async (query: string) =>
      (await caller.request('GET', `/recall?query=${encodeURIComponent(query)}`)).body.entities;
    await until('the recall has read the identity', async () => (await shown('Where is Alice?')) !== undefined);
    const record = await entity(caller, 'alice-johnson');
    for (const query of ['Where is Alice?', 'the harbour project'])
      expect(await shown(query), query).to.deep.equal([
        {
          id: 'entity:people:alice-johnson',
          slug: 'alice-johnson',
          category: 'people',
          name: 'Alice Johnson',
          aliases: ['alice'],
          identity: 'Alice Johnson moved to Oslo.',
          identity_source_count: 3,
          identity_updated_at: record.identity_updated_at,
        },
      ]);
  });

  it('are reported as missing when the model gives no answer', async () => {
    const caller = await start();
    await store(caller, 'Redis and Postgres', ['entity:tools:redis', 'entity:tools:postgres', 'entity:tools:docker']);
    await store(caller, 'Kafka', ['entity:tools:kafka']);
    answer = null;
    const { errors, identities_synthesized: written } = await run(caller);
    expect(written).to.equal(0);
    expect(errors, 'it stops after three').to.have.length(3);
    expect(errors[0]).to.match(/^The language model gave no answer about entity:tools:/u);
    expect((await entity(caller, 'redis')).identity).to.equal(null);
  });

  it('go with the undo of a merge, which is not repeated', async () => {
    const caller = await start({ ADMIN_API_TOKEN: 'admin-of-the-tests' });
    const both = ['entity:people:alice-johnson', 'entity:people:alice'];
    await store(caller, 'Alice Johnson opened the harbour project', both);
    await store(caller, 'Alice Johnson leads the harbour project', both);
    expect((await run(caller)).merges_performed).to.have.length(1);
    expect((await entity(caller, 'alice-johnson')).identity).to.not.equal(null);

    const headers = { 'X-Admin-Token': 'admin-of-the-tests' };
    expect((await caller.request('POST', '/entity/alice/unmerge', { headers })).status).to.equal(200);
    expect(await entity(caller, 'alice-johnson')).to.deep.include({ aliases: [], identity: null, reference_count: 2 });
    expect(await run(caller)).to.deep.include({
      merges_performed: [],
      merge_candidates_for_review: [],
      identities_synthesized: 2,
    });
    expect(await entity(caller, 'alice')).to.deep.include({ slug: 'alice', reference_count: 2 });
  });

  for (const [title, merging] of [
    ['behind', -1],
    ['ahead', 1],
  ] as const)
    it(`stay or go with an undo after a merge by a clock an hour ${title}`, async () => {
      let ahead = 0;
      const clock = { now: () => new Date(Date.now() + ahead * 3_600_000) };
      const caller = await start({ ADMIN_API_TOKEN: 'admin-of-the-tests' }, clock);
      const headers = { 'X-Admin-Token': 'admin-of-the-tests' };
      async function post(path: string, body = {}): Promise<void> {
        ahead = merging;
        expect((await caller.request('POST', path, { headers, body })).status).to.equal(200);
        ahead = 0;
      }
      await store(caller, 'One', ['entity:tools:vi']);
      await store(caller, 'Two', ['entity:tools:vim']);
      expect(await run(caller)).to.include({ identities_synthesized: 2 });
      const { identity } = await entity(caller, 'vim');
      await post('/entity/vi/merge', { merge_into: 'vim' });
      await post('/entity/vi/unmerge');
      expect((await entity(caller, 'vim')).identity, 'written before').to.equal(identity);

      await post('/entity/vi/merge', { merge_into: 'vim' });
      answer = 'An editor, with what vi is.';
      await store(caller, 'Three', ['entity:tools:vim']);
      expect(await run(caller)).to.include({ identities_synthesized: 1 });
      await post('/entity/vi/unmerge');
      expect((await entity(caller, 'vim')).identity, 'written between').to.equal(null);
    });

  it('from before a merge are there again after its undo', async () => {
    const caller = await start({ ADMIN_API_TOKEN: 'admin-of-the-tests' });
    await store(caller, 'One', ['entity:tools:vi']);
    await store(caller, 'Two', ['entity:tools:vim']);
    expect(await run(caller)).to.include({ identities_synthesized: 2 });
    const before = [await entity(caller, 'vi'), await entity(caller, 'vim')];
    const headers = { 'X-Admin-Token': 'admin-of-the-tests' };
    await caller.request('POST', '/entity/vi/merge', { headers, body: { merge_into: 'vim' } });
    expect((await caller.request('POST', '/entity/vi/unmerge', { headers })).status).to.equal(200);
    expect([await entity(caller, 'vi'), await entity(caller, 'vim')]).to.deep.equal(before);
  });

  it('move what a merge left', async () => {
    const caller = await start({ ADMIN_API_TOKEN: 'admin-of-the-tests' });
    await store(caller, 'One', ['entity:tools:vi']);
    await store(caller, 'Two', ['entity:tools:vim']);
    const headers = { 'X-Admin-Token': 'admin-of-the-tests' };
    const merged = await caller.request('POST', '/entity/vi/merge', { headers, body: { merge_into: 'vim' } });
    expect(merged.status).to.equal(200);
    const late = await store(caller, 'Three', ['entity:tools:vi']);
    await run(caller);
    expect((await caller.request('GET', `/memory/${late}`)).body.memory.tags).to.deep.equal(['entity:tools:vim']);
  });
});
