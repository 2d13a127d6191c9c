/**
 * Sends 10,000 events (PALIMPSEST_WEBHOOK_EVENTS) to a receiver that fails 30 % of the requests and restarts, and kills
 * the process that sends them (SIGKILL). Each event arrives, those of one memory in their order.
 */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import { type ReceivedEvent, startWebhookReceiver, type WebhookReceiver } from '../support/clients/webhook-receiver.js';
import { seededRandom } from '../support/fixtures/random.js';
import { SELF_SIGNED } from '../support/fixtures/self-signed.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type Killable, KILLABLE_COMPOSITIONS } from '../support/processes/killable.js';

const ADMIN = { 'X-Admin-Token': 'admin-of-the-tests' };
const EVENTS_OF_EACH = 4;
const MEMORIES = Number(process.env['PALIMPSEST_WEBHOOK_EVENTS'] ?? 10_000) / EVENTS_OF_EACH;
const BATCH = 500;
const FAILED_SHARE = 0.3;
/** Of one event, so that its back-off does not take most of the test. */
const FAILURES_LIMIT = 2;

for (const { name, start } of KILLABLE_COMPOSITIONS) {
  describe(`killed sender of webhooks: ${name}`, function () {
    this.timeout(240_000);
    let folder: TempFolder;
    let service: Killable;
    let receiver: WebhookReceiver;
    const accepted: ReceivedEvent[] = [];

    before(async () => {
      folder = await createTempFolder();
      const authority = join(folder.path, 'authority.pem');
      await writeFile(authority, SELF_SIGNED.cert);
      service = await start({
        ADMIN_API_TOKEN: ADMIN['X-Admin-Token'],
        PROJECTORS: 'webhook-sender',
        LANGUAGE_PROVIDER: 'none',
        VECTOR_WAIT_MS: '0',
        WEBHOOK_ALLOWED_NETWORKS: '127.0.0.1/32',
        NODE_EXTRA_CA_CERTS: authority,
      });
    });
    after(async () => {
      await receiver?.close();
      await service?.close();
      await folder?.remove();
    });

    const send = async (path: string, body: object) => {
      const answer = await service.request('POST', path, { body, headers: ADMIN });
      expect(answer.status, JSON.stringify(answer.body)).to.be.within(200, 202);
      return answer.body;
    };

    async function writeEvents(): Promise<void> {
      for (let from = 0; from < MEMORIES; from += BATCH) {
        const memories = Array.from({ length: BATCH }, (_, at) => ({ content: `Harbour note ${from + at}` }));
        const { memory_ids: ids } = await send('/memory/batch', { memories });
        for (let count = 1; count < EVENTS_OF_EACH; count += 1) await send('/enrichment/reprocess', { ids });
      }
    }

    async function startReceiver(secret: string, port?: number): Promise<void> {
      const random = seededRandom(7);
      const failures = new Map<string, number>();
      receiver = await startWebhookReceiver({ tls: SELF_SIGNED, ...(port === undefined ? {} : { port }) });
      receiver.expectSecrets(secret);
      receiver.answer((one) => {
        const failed = failures.get(one.id) ?? 0;
        if (failed < FAILURES_LIMIT && random.below(1_000) < FAILED_SHARE * 1_000) {
          failures.set(one.id, failed + 1);
          return 500;
        }
        accepted.push(one);
        return 204;
      });
    }

    it('delivers every event, each memory in order', async () => {
      const begin = performance.now();
      receiver = await startWebhookReceiver({ tls: SELF_SIGNED });
      const { port, url } = receiver;
      receiver.answer(() => 503);
      const { webhook, secret } = await send('/admin/webhooks', { url, after: 0 });
      await receiver.close();
      await startReceiver(secret, port);
      await writeEvents();
      const total = MEMORIES * EVENTS_OF_EACH;

      await until('a fifth of the events have arrived', () => accepted.length >= total / 5);
      const restarted = await service.killAndRestart();
      await until('half of the events have arrived', () => accepted.length >= total / 2);
      await receiver.close();
      await startReceiver(secret, port);

      const shown = async () =>
        (await restarted.request('GET', `/admin/webhooks/${webhook.id}`, { headers: ADMIN })).body;
      await until('everything is delivered', async () => (await shown()).webhook.lag_events === 0, 180_000);
      expect(receiver.rejected).to.deep.equal([]);

      const firsts = [...new Map(accepted.toReversed().map((one) => [one.id, one.event])).values()].toReversed();
      expect(firsts).to.have.length(total);
      const versions = new Map<string, number>();
      for (const { subject, version } of firsts) {
        expect(version, subject).to.equal((versions.get(subject) ?? 0) + 1);
        versions.set(subject, version);
      }
      expect(versions.size).to.equal(MEMORIES);
      process.stdout.write(
        `        ${total} events in ${Math.round(performance.now() - begin)} ms, ${accepted.length - total} of them twice\n`,
      );
    });
  });
}
