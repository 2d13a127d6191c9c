/**
 * Kills the process that rebuilds the vector index to another model and size (SIGKILL), half way, while others write
 * and recall. The next process continues, proves the new index and switches; then the deployment goes back.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import type { HttpCaller } from '../support/clients/http-caller.js';
import { type Killable, KILLABLE_COMPOSITIONS } from '../support/processes/killable.js';
import { type EmbeddingServer, healthyReply, startEmbeddingServer } from '../support/servers/embedding-server.js';

/** As the migration creates the collection. */
const SIZE = 384;
const OTHER_SIZE = 64;
const ADMIN = { headers: { 'X-Admin-Token': 'admin-of-the-tests' } };
const MEMORIES = 1_000;
/** Memories that the job saves at a time. */
const PAGE = 500;
/** More than its first page. */
const TEXTS_BEFORE_KILL = 600;
const BATCH = 250;
const WRITES_PER_SECOND = 25;
/** A busy machine takes fewer writes; without a limit Neo4j gets so many that their transactions end by its timeout. */
const UNANSWERED_WRITES = 20;
const RECALL_EVERY_MS = 300;
const DEADLINE_MS = 90_000;

for (const { name, start } of KILLABLE_COMPOSITIONS) {
  describe(`killed index rebuild, ${name}`, function () {
    this.timeout(240_000);
    let provider: EmbeddingServer;
    let service: Killable;
    /** Texts that the provider still embeds with the other model; after them it is silent. */
    let left = Infinity;
    /** The texts that it embedded with the other model, in order. */
    let embedded: string[] = [];

    before(async () => {
      provider = await startEmbeddingServer(async (request) => {
        if (request.body['model'] !== 'other') return healthyReply(SIZE)(request);
        const texts = request.body['input'] as readonly string[];
        left -= texts.length;
        if (left < 0) return { isSilent: true };
        embedded.push(...texts.filter((text) => text.startsWith('Harbour')));
        return healthyReply(OTHER_SIZE)(request);
      });
      service = await start({
        ADMIN_API_TOKEN: 'admin-of-the-tests',
        PROJECTORS: 'vector-indexer',
        EMBEDDING_PROVIDER: 'openai',
        OPENAI_BASE_URL: provider.url,
        OPENAI_API_KEY: 'key-of-the-tests',
        EMBEDDING_MODEL: 'first',
        VECTOR_SIZE: String(SIZE),
        LANGUAGE_PROVIDER: 'none',
      });
      for (let from = 0; from < MEMORIES; from += BATCH) {
        const memories = Array.from({ length: BATCH }, (_, at) => ({ content: `Harbour note ${from + at}` }));
        expect((await service.request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
      }
      await until('every vector is there', async () => (await countVectors(service)) === MEMORIES, DEADLINE_MS);
    });
    after(async () => {
      await service?.close();
      await provider?.close();
    });
    afterEach(function () {
      if (this.currentTest?.state === 'failed') console.error(service.logTail());
    });

    const countVectors = async (caller: HttpCaller): Promise<number> =>
      (await caller.request('GET', '/health')).body.vector_count;
    const jobOf = async (caller: HttpCaller, id: string) =>
      (await caller.request('GET', `/admin/jobs/${id}`, ADMIN)).body.job;

    async function startJob(caller: HttpCaller, path: string, body: object): Promise<string> {
      const reply = await caller.request('POST', `/admin/projections/vectors/${path}`, { ...ADMIN, body });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(202);
      return reply.body.job.id as string;
    }

    /**
     * Starts WRITES_PER_SECOND writes, of which at most UNANSWERED_WRITES wait for their answers, and recalls, until
     * `isOver`. The old index, or later the new one, finds something for each recall. Returns the number of writes.
     */
    async function load(caller: HttpCaller, isOver: () => Promise<boolean>): Promise<number> {
      const writes: Promise<void>[] = [];
      const write = async (): Promise<void> => {
        // Equal bodies after the kill would count as repeats of requests that the killed process did not answer.
        const command = {
          body: { content: `Log entry ${randomUUID()}` },
          headers: { 'Idempotency-Key': randomUUID() },
        };
        // A server on a busy machine can be slow enough to be refused for some seconds. The caller tries again, as the
        // reply asks.
        const stored = await until(
          'the write is not refused',
          async () => {
            const reply = await caller.request('POST', '/memory', command);
            return reply.status !== 502 && reply.status !== 503 && reply;
          },
          DEADLINE_MS,
        );
        expect(stored.status, JSON.stringify(stored.body)).to.equal(201);
      };
      let unanswered = 0;
      const writing = setInterval(() => {
        if (unanswered >= UNANSWERED_WRITES) return;
        unanswered += 1;
        const written = write().finally(() => (unanswered -= 1));
        written.catch(() => undefined); // reported below
        writes.push(written);
      }, 1_000 / WRITES_PER_SECOND);
      try {
        while (!(await isOver())) {
          const recalled = await caller.request('GET', `/recall?query=harbour%20note%20${writes.length}&limit=3`);
          expect([recalled.status, recalled.body.vector_search.matched]).to.deep.equal([200, true]);
          await pause(RECALL_EVERY_MS);
        }
      } finally {
        clearInterval(writing);
      }
      await Promise.all(writes);
      return writes.length;
    }

    async function finish(caller: HttpCaller, id: string): Promise<number> {
      const writes = await load(caller, async () => (await jobOf(caller, id)).finished_at !== null);
      const { state, error, progress } = await jobOf(caller, id);
      expect({ state, error }).to.deep.equal({ state: 'done', error: null });
      expect(progress.parity).to.include({ missing: 0, orphaned: 0, stale: 0 });
      return writes;
    }

    it('continues at its last page, with every write on return', async () => {
      const target = { provider: 'openai', model: 'other', vector_size: OTHER_SIZE };
      const id = await startJob(service, 'rebuild', target);
      [left, embedded] = [TEXTS_BEFORE_KILL, []];
      let total = MEMORIES + (await load(service, async () => left < 0));
      const { state, progress } = await jobOf(service, id);
      expect([state, progress.step, progress.filled]).to.deep.equal(['running', 'fill', PAGE]);
      expect(await countVectors(service), 'the old index').to.be.at.least(MEMORIES);

      const ofSavedPage = embedded.slice(0, PAGE / 2); // log entries take the rest of the page
      [left, embedded] = [Infinity, []];
      const restarted = await service.killAndRestart();
      total += await finish(restarted, id);
      expect(embedded.filter((text) => ofSavedPage.includes(text))).to.deep.equal([]);

      total += await finish(restarted, await startJob(restarted, 'rollback', {}));
      await until('every vector is there', async () => (await countVectors(restarted)) === total, DEADLINE_MS);
      const sync = await restarted.request('POST', '/admin/sync', { ...ADMIN, body: { dry_run: true } });
      expect(sync.body).to.include({ missing_count: 0, orphaned_count: 0, stale_count: 0 });
    });
  });
}
