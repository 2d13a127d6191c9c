/** A rebuild of the vector index to another model and size, and the way back, while others write and recall. */
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import type { MemoryId } from '../../../shared/contract/memory.js';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';
import { type EmbeddingServer, healthyReply, startEmbeddingServer } from '../../support/servers/embedding-server.js';
import { store } from '../memories/memory-fixtures.js';

const [SMALL, LARGE] = [16, 32];
const MEMORIES = 300;
const AS_ADMIN = { headers: { 'X-Admin-Token': 'admin-token' } };

describe('move to another model', () => {
  let provider: EmbeddingServer;
  let service: Service;
  before(async () => {
    const sizes: Readonly<Record<string, number>> = { small: SMALL, large: LARGE };
    provider = await startEmbeddingServer((request) =>
      healthyReply(sizes[String(request.body['model'])] ?? 0)(request),
    );
    service = await startService({
      variables: {
        ADMIN_API_TOKEN: 'admin-token',
        EMBEDDING_PROVIDER: 'openai',
        OPENAI_BASE_URL: provider.url,
        EMBEDDING_MODEL: 'small',
        VECTOR_SIZE: String(SMALL),
      },
    });
    const memories = Array.from({ length: MEMORIES }, (_, at) => ({ content: `Harbour note number ${at}` }));
    await service.request('POST', '/memory/batch', { body: { memories } });
    await service.settled();
  });
  after(async () => {
    await service.close();
    await provider.close();
  });

  async function run(path: string, body: object = {}): Promise<Record<string, unknown>> {
    const { job } = (await service.request('POST', `/admin/projections/vectors/${path}`, { ...AS_ADMIN, body })).body;
    const ended = await until('the job has ended', async () => {
      const found = (await service.request('GET', `/admin/jobs/${job.id}`, AS_ADMIN)).body.job;
      return found.finished_at !== null && found;
    });
    expect(ended).to.include({ state: 'done', error: null });
    expect(ended.progress.parity).to.include({ missing: 0, orphaned: 0, stale: 0 });
    return ended.progress;
  }

  /** Writes and recalls until the work has ended. Returns the ids of the stored memories. */
  async function underLoad(work: Promise<unknown>): Promise<readonly MemoryId[]> {
    let isRunning = true;
    const ended = work.finally(() => (isRunning = false));
    const synced = service.request('POST', '/admin/sync', { ...AS_ADMIN, body: {} });
    const ids: MemoryId[] = [];
    for (let at = 0; isRunning; at += 1) {
      ids.push((await store(service, { content: `Lighthouse log entry ${at}` })) as MemoryId);
      const { status, body } = await service.request('GET', `/recall?query=harbour%20note%20${at}&limit=3`);
      expect([status, body.vector_search.matched]).to.deep.equal([200, true]);
      await pause(10);
    }
    await ended;
    const { status, body } = await synced;
    expect(`${status} ${body.failed ?? 0}`, `a comparison meanwhile: ${JSON.stringify(body)}`).to.be.oneOf([
      '200 0',
      '409 0',
    ]);
    return ids;
  }

  /** The model of each point that is not of this model. */
  async function otherModels(model: string): Promise<readonly string[]> {
    const points = await service.engines.vectors.scan({ after: '', limit: 1_000 });
    return points.map((point) => point.model).filter((name) => name !== model);
  }

  it('switches after a proof; all vectors are of the new model', async () => {
    const ids = await underLoad(run('rebuild', { provider: 'openai', model: 'large', vector_size: LARGE }));
    await until('the new index is in use', () => service.engines.vectors.dimension === LARGE);
    await service.settled();
    expect(await otherModels(`openai/large/${LARGE}`)).to.deep.equal([]);
    expect((await service.engines.vectors.versions(ids)).size).to.equal(ids.length);
    expect(await service.engines.vectors.count({ excludedTypes: [] })).to.equal(MEMORIES + ids.length);
  });

  it('goes back to the model before, with what was written since', async () => {
    const ids = await underLoad(run('rollback'));
    await until('the former index is in use', () => service.engines.vectors.dimension === SMALL);
    await service.settled();
    expect(await otherModels(`openai/small/${SMALL}`)).to.deep.equal([]);
    expect((await service.engines.vectors.versions(ids)).size).to.equal(ids.length);
    const sync = await service.request('POST', '/admin/sync', { ...AS_ADMIN, body: { dry_run: true } });
    expect(sync.body).to.include({ missing_count: 0, orphaned_count: 0, stale_count: 0 });
  });
});
