/**
 * Kills the process that runs a reembed job (SIGKILL). The next one continues at the checkpoint. The distributed
 * service needs all servers.
 */
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import type { HttpCaller } from '../support/clients/http-caller.js';
import { type Killable, KILLABLE_COMPOSITIONS } from '../support/processes/killable.js';
import { type EmbeddingServer, healthyReply, startEmbeddingServer } from '../support/servers/embedding-server.js';

/** As the migration creates the collection. */
const DIMENSION = 384;
const ADMIN = { headers: { 'X-Admin-Token': 'admin-of-the-tests' } };
const MEMORIES = 60;
const BATCH = 10;
const BATCHES_BEFORE_KILL = 3;
const DEADLINE_MS = 60_000;

for (const { name, start } of KILLABLE_COMPOSITIONS) {
  describe(`killed reembed job: ${name}`, function () {
    this.timeout(180_000);
    let provider: EmbeddingServer;
    let service: Killable;
    /** The provider is silent after this number of batches. */
    let answers = Infinity;

    before(async () => {
      const healthy = healthyReply(DIMENSION);
      provider = await startEmbeddingServer(async (request) => {
        if (textsOf(request.body).length !== BATCH) return healthy(request);
        answers -= 1;
        return answers < 0 ? { isSilent: true } : healthy(request);
      });
      service = await start({
        ADMIN_API_TOKEN: 'admin-of-the-tests',
        PROJECTORS: 'vector-indexer',
        EMBEDDING_PROVIDER: 'openai',
        OPENAI_BASE_URL: provider.url,
        OPENAI_API_KEY: 'key-of-the-tests',
        EMBEDDING_MODEL: 'of-the-tests',
        VECTOR_SIZE: String(DIMENSION),
      });
    });
    after(async () => {
      await service?.close();
      await provider?.close();
    });

    it('continues with the batch that was running', async () => {
      const memories = Array.from({ length: MEMORIES }, (_, number) => ({ content: `memory ${number}` }));
      expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
      const countVectors = async () => (await service.request('GET', '/health')).body.vector_count;
      await until('every vector is there', async () => (await countVectors()) === MEMORIES, DEADLINE_MS);

      answers = BATCHES_BEFORE_KILL;
      const body = { batch_size: BATCH, async: true };
      const { status, body: reply } = await service.request('POST', '/admin/reembed', { ...ADMIN, body });
      expect(status).to.equal(202);
      await until('a batch waits for the provider', () => answers < 0, DEADLINE_MS);
      const jobOf = async (caller: HttpCaller) =>
        (await caller.request('GET', `/admin/jobs/${reply.job.id}`, ADMIN)).body.job;
      expect(await jobOf(service)).to.deep.include({ state: 'running' });
      expect((await jobOf(service)).progress).to.include({ processed: BATCHES_BEFORE_KILL * BATCH, failed: 0 });

      [answers, provider.requests.length] = [Infinity, 0];
      const restarted = await service.killAndRestart();
      await until('the job ends', async () => (await jobOf(restarted)).state === 'done', DEADLINE_MS);
      expect((await jobOf(restarted)).progress).to.include({ processed: MEMORIES, failed: 0, total: MEMORIES });
      const embeddedAgain = provider.requests.filter(({ body: sent }) => textsOf(sent).length === BATCH);
      expect(embeddedAgain).to.have.length(MEMORIES / BATCH - BATCHES_BEFORE_KILL);
    });
  });
}

function textsOf({ input }: Readonly<Record<string, unknown>>): readonly unknown[] {
  return Array.isArray(input) ? input : [];
}
