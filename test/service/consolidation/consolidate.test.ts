/** POST /consolidate and its status: what each task reports and writes, and what a dry run leaves alone. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { createWordHashEmbedder } from '../../support/adapters/word-hash-embedder.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

const NOW = new Date('2026-06-01T12:00:00Z');
const ADMIN = { 'X-Admin-Token': 'admin-of-the-tests' };
const DIMENSION = 16;
const OLD = '2025-01-01T00:00:00+00:00';
const RECENT = '2026-05-31T00:00:00+00:00';

const axis = (place: number, other = place, weight = 0): number[] =>
  Array.from({ length: DIMENSION }, (_, at) =>
    at === place ? Math.sqrt(1 - weight * weight) : at === other ? weight : 0,
  );

describe('consolidation', () => {
  let service: Service;
  async function start(variables: Readonly<Record<string, string>> = {}): Promise<void> {
    service = await startService({
      embedder: createWordHashEmbedder(DIMENSION),
      clock: { now: () => NOW },
      variables: { ADMIN_API_TOKEN: 'admin-of-the-tests', PROJECTORS: 'vector-indexer,consolidator', ...variables },
    });
  }
  afterEach(() => service.close());

  async function store(memory: object): Promise<MemoryId> {
    const { status, body } = await service.request('POST', '/memory', { body: memory });
    expect(status, JSON.stringify(body)).to.equal(201);
    return body.memory_id as MemoryId;
  }
  async function consolidate(body: object) {
    await service.settled();
    const reply = await service.request('POST', '/consolidate', { body });
    expect(reply.status, JSON.stringify(reply.body)).to.equal(200);
    await service.settled();
    return reply.body.consolidation;
  }
  const real = (mode = 'full') => consolidate({ mode, dry_run: false });
  const head = () => service.engines.journal.head();
  const read = async (id: string) => (await service.request('GET', `/memory/${id}`)).body.memory;
  const eventsAfter = (after: number) => service.engines.journal.read({ after, limit: 100 });
  const status = async () => (await service.request('GET', '/consolidate/status')).body;

  it('reports what a dry run would do, and writes nothing', async () => {
    await start({ CONSOLIDATION_ARCHIVE_THRESHOLD: '0.2' });
    const old = await store({ content: 'An old note', timestamp: OLD, last_accessed: OLD, importance: 0.1 });
    await service.settled();
    const before = await head();
    const result = await consolidate({});
    expect(result).to.include({ mode: 'full', dry_run: true, success: true });
    expect(result.steps.decay).to.deep.include({ processed: 1, changed: 1 });
    expect(result.steps.forget.archived).to.have.length(1);
    expect(result.steps.forget.archived[0]).to.include({ id: old, type: 'Context', content_preview: 'An old note' });
    expect(result.steps.identity).to.include({ skipped: true });
    expect(await head(), 'no event').to.equal(before);
    expect((await status()).history).to.deep.equal([]);
  });

  it('writes the relevance with its reason, and keeps the revision', async () => {
    await start();
    const id = await store({ content: 'An old note', timestamp: OLD, last_accessed: OLD });
    const etag = (await service.request('GET', `/memory/${id}`)).headers.get('etag');
    const before = await head();
    const { steps } = await real('decay');
    expect(Object.keys(steps)).to.deep.equal(['decay']);
    expect(steps.decay.distribution).to.deep.equal({ high: 0, medium: 0, low: 1, archive: 0 });
    const [event, ...more] = await eventsAfter(before);
    expect(more).to.deep.equal([]);
    expect(event).to.deep.include({ type: 'memory.relevance.changed', subject: id, version: 2, revision: 1 });
    expect(event?.data)
      .to.have.property('reason')
      .that.matches(/^The relevance moved from 0\.474 to 0\.15/u);
    expect((await read(id)).relevance_score).to.be.closeTo(0.15, 0.001);
    expect((await service.request('GET', `/memory/${id}`)).headers.get('etag')).to.equal(etag);
    const { next_runs: next, history, thread_alive: isAlive, tick_seconds: tick } = await status();
    expect(history).to.have.length(1);
    expect(history[0]).to.include({ mode: 'decay', task: 'decay', success: true, dry_run: false });
    expect(JSON.parse(history[0].result).steps.decay.processed).to.equal(1);
    expect(next).to.include({ decay: 'In 1 day', creative: 'In 7 days', forget: 'Disabled', identity: 'Disabled' });
    expect([isAlive, tick]).to.deep.equal([true, 60]);
  });

  it('archives what is irrelevant and unprotected, and restores it', async () => {
    await start({ CONSOLIDATION_ARCHIVE_THRESHOLD: '0.2' });
    const old = { timestamp: OLD, last_accessed: OLD, importance: 0.2 };
    const note = await store({ content: 'An old note', ...old });
    const decision = await store({ content: 'An old decision', type: 'Decision', ...old });
    const recent = await store({ content: 'A recent note', timestamp: RECENT });
    const { steps } = await real('forget');
    expect(steps.forget).to.deep.include({ examined: 3, preserved: 1 });
    expect(steps.forget.counts).to.deep.equal({ archived: 1, deleted: 0, protected: 1 });
    expect(steps.forget.archived[0]).to.include({ id: note });
    expect(steps.forget.protected[0]).to.include({
      id: decision,
      action: 'archive',
      protection_reason: 'Its type is Decision',
    });
    expect(await read(note)).to.include({ archived: true });
    expect((await read(recent)).archived).to.equal(undefined);
    const found = async () =>
      (await service.request('GET', '/recall?query=old%20note')).body.results.map((one: { id: string }) => one.id);
    expect(await found()).to.not.include(note);

    const restore = () => service.request('POST', `/admin/memories/${note}/restore`, { headers: ADMIN });
    const restored = await restore();
    expect(restored.body).to.deep.include({ status: 'success', memory_id: note, restored: true });
    expect((await restore()).body).to.deep.include({ restored: false });
    await service.settled();
    const memory = await read(note);
    expect(memory).to.include({ protected: true });
    expect(memory.archived).to.equal(undefined);
    expect(await found()).to.include(note);
    expect((await real('forget')).steps.forget.counts, 'it stays').to.deep.equal({
      archived: 0,
      deleted: 0,
      protected: 2,
    });
  });

  it('deletes only with a threshold for it, with the reason in the event', async () => {
    await start({ CONSOLIDATION_DELETE_THRESHOLD: '0.2' });
    const note = await store({ content: 'An old note', timestamp: OLD, last_accessed: OLD, importance: 0.2 });
    const before = await head();
    const { steps } = await real('forget');
    expect(steps.forget.deleted[0]).to.include({ id: note });
    const [event] = await eventsAfter(before);
    expect(event).to.deep.include({ type: 'memory.deleted', subject: note });
    expect(event?.data)
      .to.have.property('reason')
      .that.matches(/below 0\.2/u);
    expect((await service.request('GET', `/memory/${note}`)).status).to.equal(404);
  });

  it('finds associations of unlinked pairs once', async () => {
    await start();
    const of = (content: string, type: string, embedding: number[]) =>
      store({ content, type, embedding, importance: 0.6, timestamp: RECENT });
    const first = await of('We chose the first way', 'Decision', axis(0));
    const second = await of('We chose the second way', 'Decision', axis(1));
    const insight = await of('It is faster', 'Insight', axis(4));
    const pattern = await of('It is always so', 'Pattern', axis(4, 5, 0.75));
    const before = await head();
    const { steps } = await real('creative');
    const events = await eventsAfter(before);
    const kinds = new Map(
      events.map(({ data }) => {
        const { source, target, properties } = (
          data as { association: { source: string; target: string; properties: { kind: string } } }
        ).association;
        return [[source, target].sort().join(), properties.kind] as const;
      }),
    );
    const pair = (one: string, other: string) => [one, other].sort().join();
    expect(kinds.get(pair(first, second))).to.equal('contrasts_with');
    expect(kinds.get(pair(insight, pattern))).to.equal('explains');
    expect(kinds.get(pair(first, insight))).to.equal('parallel_context');
    expect(steps.creative).to.include({ discovered: kinds.size, created: kinds.size });
    expect(steps.creative.sample_associations).to.have.length(3);
    expect(await head()).to.not.equal(before);
    const settled = await head();
    expect((await real('creative')).steps.creative).to.include({ discovered: 0, created: 0 });
    expect(await head(), 'a second run finds nothing new').to.equal(settled);
  });

  it('gives similar memories one meta memory, which grows with them', async () => {
    await start({ PROJECTORS: 'vector-indexer,enricher,consolidator', RECALL_EXCLUDED_TYPES: 'MetaPattern' });
    const similar = (number: number) =>
      store({
        content: `The boiler failed again, report ${number}`,
        type: 'Context',
        embedding: axis(0, 1 + number, 0.1),
        // A cluster is known by its oldest memory, which stays the first one.
        timestamp: RECENT.replace('00:00:00', `00:0${number}:00`),
      });
    for (let number = 0; number < 5; number++) await similar(number);
    await service.settled();
    const { steps } = await real('cluster');
    expect(steps.cluster).to.include({ clusters_found: 1, meta_memories_created: 1 });
    expect(steps.cluster.sample_clusters[0]).to.include({ size: 5, dominant_type: 'Context' });
    const id = steps.cluster.sample_clusters[0].cluster_id as MemoryId;
    const summarized = async () =>
      (
        await service.engines.graph.relations({ ids: [id], direction: 'outgoing', types: ['SUMMARIZES'], limit: 100 })
      ).get(id) ?? [];
    expect(await summarized()).to.have.length(5);
    expect(await read(id)).to.include({ type: 'MetaPattern', confidence: 0.8, relevance_score: 0.9 });
    const settled = await head();
    expect((await real('cluster')).steps.cluster).to.include({ clusters_found: 1, meta_memories_created: 0 });
    expect(await head()).to.equal(settled);

    await similar(5);
    await service.settled();
    expect((await real('cluster')).steps.cluster).to.include({ clusters_found: 1, meta_memories_created: 1 });
    expect(await summarized()).to.have.length(6);
    expect((await read(id)).metadata).to.include({ cluster_size: 6, origin: 'consolidation' });
  });

  it('archives the meta memory of a cluster that is gone', async () => {
    await start({ PROJECTORS: 'vector-indexer,enricher,consolidator' });
    const ids: MemoryId[] = [];
    for (let number = 0; number < 5; number++)
      ids.push(
        await store({
          content: `Boiler report ${number}`,
          type: 'Context',
          embedding: axis(0, 1 + number, 0.1),
          // The deletion of the oldest one would delete the meta memory, which has its words.
          timestamp: RECENT.replace('00:00:00', `00:0${number}:00`),
        }),
      );
    await service.settled();
    const { steps } = await real('cluster');
    const id = steps.cluster.sample_clusters[0].cluster_id;
    await service.request('DELETE', `/memory/${ids.at(-1) ?? ''}`);
    await service.settled();
    await real('cluster');
    expect(await read(id)).to.include({ archived: true });
  });

  it('follows its schedule, and leaves out what is not important', async () => {
    service = await startService({
      embedder: createWordHashEmbedder(DIMENSION),
      variables: {
        PROJECTORS: 'vector-indexer,consolidator',
        CONSOLIDATION_TICK_SECONDS: '1',
        CONSOLIDATION_DECAY_INTERVAL_SECONDS: '1',
      },
    });
    // One commit: the schedule may run at any time, also before it.
    const note = { timestamp: OLD, last_accessed: OLD };
    const memories = [
      { content: 'An old note', ...note },
      { content: 'An unimportant note', ...note, importance: 0.1 },
    ];
    expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
    const decayed = async () =>
      (await status()).history
        .map((run: { result: string }) => ({ ...run, ...JSON.parse(run.result).steps.decay }))
        .find(({ processed }: { processed: number }) => processed > 0);
    await until('a run of the schedule has processed a memory', async () => (await decayed()) !== undefined);
    expect(await decayed()).to.include({ mode: 'decay', task: 'decay', success: true, processed: 1, changed: 1 });
  });

  it('accepts an unknown mode, which has no steps', async () => {
    await start();
    const result = await consolidate({ mode: 'dream', dry_run: false });
    expect(result).to.deep.include({ mode: 'dream', success: true, steps: {} });
  });

  it('refuses nonsense with 400 and the name of the field', async () => {
    await start();
    const refused = async (body: unknown) => {
      const reply = await service.request('POST', '/consolidate', { body });
      return [reply.status, reply.body.message];
    };
    for (const mode of [7, [], {}, 'x'.repeat(101)])
      expect((await refused({ mode })).join(), JSON.stringify(mode)).to.match(/^400,'mode' /u);
    for (const isDry of ['yes', 1, []])
      expect((await refused({ dry_run: isDry })).join(), JSON.stringify(isDry)).to.match(/^400,'dry_run' /u);
    expect((await refused([]))[0]).to.equal(400);
    const raw = await service.request('POST', '/consolidate', { raw: '{"mode":' });
    expect(raw.status).to.equal(400);
  });

  it('answers 202 when no process runs the job, then 409 with its id', async () => {
    await start({ PROJECTORS: 'vector-indexer', JOB_WAIT_MS: '0' });
    const first = await service.request('POST', '/consolidate', { body: { dry_run: false } });
    expect(first.status).to.equal(202);
    expect(first.body.job).to.include({ kind: 'consolidate', state: 'waiting' });
    const second = await service.request('POST', '/consolidate');
    expect(second.status).to.equal(409);
    expect(second.body.message).to.include(first.body.job.id);
    expect((await status()).thread_alive).to.equal(false);
  });

  it('restores nothing that does not exist, and nothing without the admin token', async () => {
    await start();
    const id = '0a0a0a0a-0000-4000-8000-000000000000';
    const restore = (path: string, headers = {}) =>
      service.request('POST', `/admin/memories/${path}/restore`, { headers });
    expect((await restore(id, ADMIN)).status).to.equal(404);
    expect((await restore('nonsense', ADMIN)).status).to.equal(400);
    expect((await restore(id)).status).to.equal(401);
  });
});
