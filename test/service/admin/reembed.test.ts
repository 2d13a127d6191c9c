/** POST /admin/reembed: which memories get new vectors, what is reported, and what a failing provider changes. */
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { DependencyError, PoisonError } from '../../../shared/kernel/errors.js';
import { embeddingRef } from '../../../shared/ports/embedder.js';
import { createRenewedEmbedder, type RenewedEmbedder } from '../../support/adapters/renewed-embedder.js';
import { until } from '../../support/checks/until.js';
import { filter } from '../../support/fixtures/points.js';
import { type Service, startService } from '../../support/processes/service.js';

const ADMIN = 'admin-token';
const AS_ADMIN = { headers: { 'X-Admin-Token': ADMIN } };
const CONTENTS = ['oldest memory', 'second memory', 'third memory', 'newest memory'];
const SUPPLIED = 'memory with a supplied vector';
const SUPPLIED_VECTOR = Array.from({ length: 16 }, (_, place) => (place === 15 ? 1 : 0));
/** Newer than the supplied one, which is newer than the oldest. */
const time = (day: number) => `2024-06-${String(day).padStart(2, '0')}T00:00:00+00:00`;

describe('POST /admin/reembed', () => {
  let service: Service;
  let embedder: RenewedEmbedder;

  beforeEach(async () => {
    embedder = createRenewedEmbedder();
    service = await startService({ embedder, variables: { ADMIN_API_TOKEN: ADMIN, RECALL_EXCLUDED_TYPES: '' } });
  });
  afterEach(() => service.close());

  const reembed = (body: object = {}) => service.request('POST', '/admin/reembed', { ...AS_ADMIN, body });
  const job = async (id: string) => (await service.request('GET', `/admin/jobs/${id}`, AS_ADMIN)).body.job;

  async function store(): Promise<readonly MemoryId[]> {
    const { status, body } = await service.request('POST', '/memory/batch', {
      body: { memories: CONTENTS.map((content, index) => ({ content, timestamp: time(10 + index) })) },
    });
    expect(status).to.equal(201);
    const supplied = await service.request('POST', '/memory', {
      body: { content: SUPPLIED, embedding: SUPPLIED_VECTOR, timestamp: time(9) },
    });
    expect(supplied.status).to.equal(201);
    await service.settled();
    embedder.calls.length = 0;
    embedder.generation = 1;
    return [...body.memory_ids, supplied.body.memory_id] as MemoryId[];
  }

  /** The contents whose point and cached vector are those of the generation. */
  async function renewed(generation: number): Promise<readonly string[]> {
    const found: string[] = [];
    for (const content of [...CONTENTS, SUPPLIED]) {
      const vector = await embedder.vectorOf(content, generation);
      const ref = embeddingRef(embedder.model, content);
      const cached = (await service.engines.cache.get([ref])).get(ref);
      const hits = await service.engines.vectors.search({ vector, limit: 5, filter: filter() });
      const isInIndex = hits.some(({ similarity }) => similarity > 0.999_999);
      if (isInIndex && cached?.join() === vector.join()) found.push(content);
    }
    return found;
  }

  it('refuses a missing admin token with 401 and a wrong limit with 400', async () => {
    expect((await service.request('POST', '/admin/reembed', { body: {} })).status).to.equal(401);
    const { status, body } = await reembed({ limit: 'many' });
    expect([status, body.message]).to.deep.equal([400, "'limit' must be a whole number"]);
  });

  it('reports that there is nothing to embed', async () => {
    const message = 'No memories found to reembed';
    const { status, body } = await reembed();
    expect(status).to.equal(200);
    expect(body).to.deep.equal({ status: 'complete', message, processed: 0, total: 0 });
  });

  it('replaces vectors in index and cache, the newest first, in batches', async () => {
    await store();
    const { status, body } = await reembed({ batch_size: 2 });
    expect(status).to.equal(200);
    expect(body).to.deep.equal({
      status: 'complete',
      processed: 4,
      failed: 0,
      skipped: 1,
      total: 5,
      batch_size: 2,
      metadata_preserved: true,
    });
    const [first, second, third, fourth] = CONTENTS;
    expect(embedder.calls).to.deep.equal([
      [fourth, third],
      [second, first],
    ]);
    expect(await renewed(1)).to.deep.equal(CONTENTS);
  });

  it('replaces a supplied vector only with force', async () => {
    const ids = await store();
    const modelOf = async () => (await service.engines.vectors.points(ids.slice(-1)))[0]?.model;
    await reembed();
    expect(await modelOf()).to.equal('supplied');
    expect((await reembed({ force: true })).body).to.include({ processed: 5, skipped: 0, total: 5, batch_size: 32 });
    expect(await renewed(1)).to.deep.equal([...CONTENTS, SUPPLIED]);
    expect(await modelOf()).to.equal(embedder.model);
  });

  it('embeds only the newest memories up to the limit', async () => {
    await store();
    expect((await reembed({ limit: 2, batch_size: 'all' })).body).to.include({
      processed: 2,
      total: 2,
      batch_size: 32,
    });
    expect(await renewed(1)).to.deep.equal(CONTENTS.slice(2));
  });

  it('counts a batch as failed while the provider is away, and goes on', async () => {
    const ids = await store();
    embedder.beforeBatch = async (texts) => {
      if (texts.includes('third memory')) throw new DependencyError('embedding', 'no answer');
    };
    const { status, body } = await reembed({ batch_size: 2 });
    expect(status).to.equal(200);
    expect(body).to.include({ processed: 2, failed: 2, skipped: 1, total: 5 });
    expect(body.failed_ids).to.deep.equal([ids[3], ids[2]]);
    expect(await renewed(1)).to.deep.equal(CONTENTS.slice(0, 2));
  });

  it('fails one memory that the provider rejects, not its batch', async () => {
    const ids = await store();
    embedder.beforeBatch = async (texts) => {
      if (texts.includes('second memory')) throw new PoisonError('the text is refused');
    };
    const { body } = await reembed();
    expect(body).to.include({ processed: 3, failed: 1, total: 5 });
    expect(body.failed_ids).to.deep.equal([ids[1]]);
  });

  it('answers 503 without the vector index or the graph, and starts no job', async () => {
    service.breakers.graph.break();
    expect((await reembed()).status).to.equal(503);
    service.breakers.vectors.break();
    const { status, body } = await reembed();
    expect([status, body.message]).to.deep.equal([503, 'Qdrant is not available']);
    service.breakers.graph.mend();
    service.breakers.vectors.mend();
    expect((await service.request('GET', '/admin/jobs', AS_ADMIN)).body.jobs).to.deep.equal([]);
  });

  it('answers 202 at once, and 409 until the end of the job', async () => {
    await store();
    let open: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    embedder.beforeBatch = () => gate;
    const { status, body } = await reembed({ async: true });
    expect(status).to.equal(202);
    expect(body).to.deep.include({ status: 'accepted' });
    expect(body.job).to.deep.include({ kind: 'reembed', request: { batch_size: 32, limit: null, force: false } });
    const id = body.job.id as string;
    await until('the job runs', async () => (await job(id)).state === 'running');

    const other = await service.request('POST', '/admin/projections/graph/rebuild', AS_ADMIN);
    expect(other.status).to.equal(409);
    expect(other.body.message).to.include(id);
    expect((await reembed()).status).to.equal(409);

    open();
    await until('the job ends', async () => (await job(id)).state === 'done');
    expect((await job(id)).progress).to.include({ processed: 4, failed: 0, skipped: 1, total: 5 });
    const { body: list } = await service.request('GET', '/admin/jobs', AS_ADMIN);
    expect([list.count, list.jobs[0].id]).to.deep.equal([1, id]);
  });

  it('leaves no vector of a memory deleted during its batch', async () => {
    const ids = await store();
    embedder.beforeBatch = async () => {
      embedder.beforeBatch = async () => undefined;
      expect((await service.request('DELETE', `/memory/${ids[3]}`)).status).to.equal(200);
      await service.settled();
    };
    expect((await reembed()).status).to.equal(200);
    expect((await service.engines.vectors.versions(ids)).has(ids[3] as MemoryId)).to.equal(false);
    expect((await service.engines.cache.get([embeddingRef(embedder.model, 'newest memory')])).size).to.equal(0);
  });
});

describe('POST /admin/reembed with a long job', () => {
  it('answers 202 with the job, which goes on', async () => {
    const embedder = createRenewedEmbedder();
    const service = await startService({ embedder, variables: { ADMIN_API_TOKEN: ADMIN, JOB_WAIT_MS: '0' } });
    try {
      await service.request('POST', '/memory', { body: { content: 'one memory' } });
      await service.settled();
      const { status, body } = await service.request('POST', '/admin/reembed', { ...AS_ADMIN, body: {} });
      expect([status, body.status]).to.deep.equal([202, 'accepted']);
      await until('the job ends', async () => {
        const { body: shown } = await service.request('GET', `/admin/jobs/${body.job.id}`, AS_ADMIN);
        return shown.job.state === 'done' && shown.job.progress.processed === 1;
      });
    } finally {
      await service.close();
    }
  });
});
