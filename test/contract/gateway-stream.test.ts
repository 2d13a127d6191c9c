/** The live stream of two query APIs behind a gateway: whoever answers shows everything, and a client goes on at the other where one stops. */
import { expect } from 'chai';
import { queryConfig } from '../../query-api/config.js';
import { createJournalTail } from '../../query-api/feed/create-journal-tail.js';
import { createActivityFeed } from '../../query-api/stream/create-activity-feed.js';
import { createStream } from '../../query-api/stream/create-stream.js';
import { createApp } from '../../shared/http/create-app.js';
import { listen } from '../../shared/http/listen.js';
import { createSqliteJournal } from '../../shared/journal/sqlite/create-sqlite-journal.js';
import { journalMigrations } from '../../shared/journal/sqlite/migrations.js';
import { randomIds, systemClock } from '../../shared/kernel/clock.js';
import { silentLogger } from '../../shared/kernel/logger.js';
import { createJournalStream, type JournalStream } from '../../shared/stream/journal/create-journal-stream.js';
import { streamMigrations } from '../../shared/stream/journal/migrations.js';
import { watch, type Watcher } from '../support/event-stream.js';
import { stored } from '../support/events.js';
import { GATEWAYS, GATEWAYS_NOTE, type Gateway } from '../support/gateways.js';
import { appendEvents } from '../support/journals.js';
import { openTemporaryHost, type TemporaryHost } from '../support/sqlite.js';
import { until } from '../support/until.js';

type Instance = { readonly url: string; readonly close: () => Promise<void> };

const STOP_DEADLINE_MS = 1_000;
const { stream: config } = queryConfig({ STREAM_KEEPALIVE_MS: '100' });

for (const adapter of GATEWAYS) {
  describe(`the live stream behind a gateway, ${adapter.name}${GATEWAYS_NOTE}`, () => {
    let temporary: TemporaryHost;
    let stream: JournalStream;
    let instances: readonly [Instance, Instance];
    let gateway: Gateway;
    let watchers: readonly Watcher[] = [];
    let events = 0;
    before(async () => {
      temporary = await openTemporaryHost([journalMigrations, streamMigrations]);
      stream = createJournalStream({
        host: temporary.host,
        journal: createSqliteJournal(temporary),
        logger: silentLogger,
      });
      instances = await Promise.all([openInstance('one'), openInstance('two')]);
      const urls = instances.map(({ url }) => url);
      // Silence beyond this would be a failure, but for the stream's own comments.
      gateway = await adapter.open({ instances: { command: urls, query: urls }, limits: { readTimeoutMs: 400 } });
    });
    after(async () => {
      await Promise.all(watchers.map((watcher) => watcher.close()));
      await gateway.close();
      await Promise.all(instances.map((instance) => instance.close()));
      await stream.close();
      await temporary.remove();
    });

    async function openInstance(instance: string): Promise<Instance> {
      const journal = createSqliteJournal(temporary);
      const activity = createActivityFeed({ source: stream, instance, logger: silentLogger });
      const handlers = createStream({
        journal,
        tail: createJournalTail({ journal }),
        activity,
        config,
        clock: systemClock,
        logger: silentLogger,
        instance,
      });
      const app = createApp({
        handlers,
        tokens: { api: [{ name: null, token: 'secret' }], admin: null, internal: null },
        logger: silentLogger,
        ids: randomIds,
        allowedOrigins: ['*'],
      });
      const { port, close } = await listen(app, { port: 0, host: '127.0.0.1' });
      return {
        url: `http://127.0.0.1:${port}`,
        close: async () => {
          await close(STOP_DEADLINE_MS);
          await activity.close();
        },
      };
    }
    async function subscribersAt({ url }: Instance): Promise<number> {
      return ((await (await fetch(`${url}/stream/status?api_key=secret`)).json()) as { subscribers: number })
        .subscribers;
    }
    const append = (count: number): Promise<unknown> =>
      temporary.host.write(
        appendEvents,
        Array.from({ length: count }, () => stored((events += 1))),
      );
    const idsOf = (watcher: Watcher): readonly (number | null)[] => watcher.events().map(({ id }) => id);

    it('lets clients in that can send no header, at both instances', async () => {
      watchers = await Promise.all(Array.from({ length: 4 }, () => watch(gateway.url, { query: '?api_key=secret' })));
      expect(await Promise.all(instances.map(subscribersAt))).to.satisfy((counts: readonly number[]) =>
        counts.every((count) => count > 0),
      );
      expect((await fetch(`${gateway.url}/stream`)).status).to.equal(401);
    });

    it('shows everything at every instance', async () => {
      await append(120);
      stream.notify({ kind: 'watched', type: 'told', data: { to: 'all' }, at: '2024-01-01T00:00:00+00:00' });
      await until('all have seen all', () =>
        watchers.every((watcher) => watcher.events().length === 120 && watcher.activity('told').length === 1),
      );
      for (const watcher of watchers)
        expect(idsOf(watcher)).to.deep.equal(Array.from({ length: 120 }, (_, index) => index + 1));
    });

    it('does not take silence for failure', async () => {
      await until('a second of keep-alive comments', () => watchers.every(({ comments }) => comments.length > 10));
      expect(watchers.some((watcher) => watcher.isOver())).to.equal(false);
    });

    it('ends at once when the gateway stops', async () => {
      const urls = instances.map(({ url }) => url);
      const stopping = await adapter.open({ instances: { command: urls, query: urls } });
      const watcher = await watch(stopping.url, { query: '?api_key=secret' });
      const before = performance.now();
      await stopping.close();
      await until('it is over', () => watcher.isOver());
      expect(performance.now() - before, 'connections have a second').to.be.below(950);
    });

    it('goes on at the other instance when one stops', async () => {
      await instances[0].close();
      await until('its clients know', () => watchers.filter((watcher) => watcher.isOver()).length > 0);
      const told = watchers.filter((watcher) => watcher.isOver());
      for (const { comments } of told) expect(comments.at(-1)).to.match(/^the server stops/u);
      await append(30);
      const again = await Promise.all(
        told.map((watcher) =>
          watch(gateway.url, { query: '?api_key=secret', lastEventId: watcher.events().at(-1)?.id ?? 0 }),
        ),
      );
      watchers = [...watchers, ...again];
      await until('they have seen the rest', () => again.every((watcher) => watcher.events().length === 30));
      for (const watcher of again)
        expect(idsOf(watcher)).to.deep.equal(Array.from({ length: 30 }, (_, index) => 121 + index));
    });
  });
}
