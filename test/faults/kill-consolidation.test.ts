/**
 * Kills the process that consolidates (SIGKILL) between two pages. The next process continues with the next page, each
 * memory is changed once, and a second consolidation changes nothing.
 */
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import type { HttpCaller } from '../support/clients/http-caller.js';
import { type Killable, KILLABLE_COMPOSITIONS } from '../support/processes/killable.js';

const ADMIN = { headers: { 'X-Admin-Token': 'admin-of-the-tests' } };
const MEMORIES = 1_500;
const BATCH = 500;
/** One page of the consolidator. */
const PAGE = 200;
const OLD = '2025-01-01T00:00:00+00:00';
const DEADLINE_MS = 90_000;

for (const { name, start } of KILLABLE_COMPOSITIONS) {
  describe(`killed consolidation: ${name}`, function () {
    this.timeout(240_000);
    let service: Killable;
    before(async () => {
      service = await start({
        ADMIN_API_TOKEN: 'admin-of-the-tests',
        PROJECTORS: 'consolidator',
        JOB_WAIT_MS: '0',
        LANGUAGE_PROVIDER: 'none',
        VECTOR_WAIT_MS: '0',
      });
      for (let from = 0; from < MEMORIES; from += BATCH) {
        const memories = Array.from({ length: BATCH }, (_, at) => ({
          content: `Harbour note ${from + at}`,
          timestamp: OLD,
          last_accessed: OLD,
        }));
        const { status, body } = await service.request('POST', '/memory/batch', { body: { memories } });
        expect(status, JSON.stringify(body)).to.equal(201);
      }
    });
    after(() => service?.close());

    async function begin(caller: HttpCaller): Promise<string> {
      const reply = await caller.request('POST', '/consolidate', { body: { mode: 'decay', dry_run: false } });
      expect(reply.status, JSON.stringify(reply.body)).to.equal(202);
      return reply.body.job.id as string;
    }
    const jobOf = async (caller: HttpCaller, id: string) =>
      (await caller.request('GET', `/admin/jobs/${id}`, ADMIN)).body.job;
    const ended = async (caller: HttpCaller, id: string) => {
      await until('the job ends', async () => (await jobOf(caller, id)).finished_at !== null, DEADLINE_MS);
      return jobOf(caller, id);
    };
    async function countChanges(caller: HttpCaller): Promise<ReadonlyMap<string, number>> {
      const found = new Map<string, number>();
      for (let after = 0; ;) {
        const { body } = await caller.request('GET', `/events?type=memory.relevance.changed&after=${after}&limit=500`);
        for (const { subject } of body.events) found.set(subject, (found.get(subject) ?? 0) + 1);
        if (body.next === body.head) return found;
        after = body.next;
      }
    }

    it('continues at the page that was not saved', async () => {
      const id = await begin(service);
      await until(
        'a page is saved',
        async () => ((await jobOf(service, id)).progress.examined ?? 0) >= PAGE,
        DEADLINE_MS,
      );
      const caller = await service.killAndRestart();
      const before = await jobOf(caller, id);
      expect(before.state, 'killed before its end').to.equal('running');
      const { state, progress } = await ended(caller, id);
      expect(state).to.equal('done');
      expect(progress.steps.decay).to.include({ processed: MEMORIES });
      const changes = await countChanges(caller);
      expect(changes.size).to.equal(MEMORIES);
      expect([...changes.values()].every((count) => count === 1)).to.equal(true);

      const second = await ended(caller, await begin(caller));
      expect(second.progress.steps.decay).to.include({ processed: MEMORIES, changed: 0 });
      const status = await caller.request('GET', '/consolidate/status');
      expect(status.body.history.map((one: { id: string }) => one.id)).to.include(id);
    });
  });
}
