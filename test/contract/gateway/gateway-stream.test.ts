/**
 * The live stream of two query APIs behind a gateway: each API sends all events, and when one stops, a client continues
 * at the other.
 */
import { expect } from 'chai';
import { queryConfig } from '../../../query-api/config.js';
import { createJournalTail } from '../../../query-api/feed/journal-tail.js';
import { createActivityFeed } from '../../../query-api/live-stream/activity-feed.js';
import { createStream } from '../../../query-api/live-stream/stream.js';
import { createSqliteJournal } from '../../../shared/engines/sqlite/journal/sqlite-journal.js';
import { journalMigrations } from '../../../shared/engines/sqlite/schema/journal.js';
import { streamMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import { createJournalStream, type JournalStream } from '../../../shared/engines/sqlite/stream/journal-stream.js';
import { createApp } from '../../../shared/http/app.js';
import { listen } from '../../../shared/http/listen.js';
import { randomIds, systemClock } from '../../../shared/kernel/clock.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { type Gateway, GATEWAYS, GATEWAYS_NOTE } from '../../support/adapters/gateways.js';
import { appendEvents } from '../../support/adapters/journals.js';
import { openTemporaryHost, type TemporaryHost } from '../../support/adapters/sqlite.js';
import { until } from '../../support/checks/until.js';
import { watch, type Watcher } from '../../support/clients/event-stream.js';
import { numberedId, stored } from '../../support/fixtures/events.js';

type Instance = { readonly url: string; readonly close: () => Promise<void> };

const STOP_DEADLINE_MS = 1_000;
const config = { ...queryConfig({}).stream, keepAliveMs: 100 };

for (const adapter of GATEWAYS) {
  describe(`live stream behind ${adapter.name}${GATEWAYS_NOTE}`, () => {
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
      // Without the stream's keep-alive comments, the gateway would end it after this timeout.
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
        isLoopbackOnly: false,
        historyId: () => numberedId(1),
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

    it('accepts an api_key parameter at both instances', async () => {
      watchers = await Promise.all(Array.from({ length: 4 }, () => watch(gateway.url, { query: '?api_key=secret' })));
      expect(await Promise.all(instances.map(subscribersAt))).to.satisfy((counts: readonly number[]) =>
        counts.every((count) => count > 0),
      );
      expect((await fetch(`${gateway.url}/stream`)).status).to.equal(401);
    });

    it('sends all events and activity at every instance', async () => {
      await append(120);
      stream.notify({ kind: 'watched', type: 'announced', data: { to: 'all' }, at: '2024-01-01T00:00:00+00:00' });
      await until('every watcher has received everything', () =>
        watchers.every((watcher) => watcher.events().length === 120 && watcher.activity('announced').length === 1),
      );
      for (const watcher of watchers)
        expect(idsOf(watcher)).to.deep.equal(Array.from({ length: 120 }, (_, index) => index + 1));
    });

    it('stays open while no events arrive', async () => {
      await until('a second of keep-alive comments', () => watchers.every(({ comments }) => comments.length > 10));
      expect(watchers.some((watcher) => watcher.isClosed())).to.equal(false);
    });

    it('ends immediately when the gateway stops', async () => {
      const urls = instances.map(({ url }) => url);
      const stopping = await adapter.open({ instances: { command: urls, query: urls } });
      const watcher = await watch(stopping.url, { query: '?api_key=secret' });
      const before = performance.now();
      await stopping.close();
      await until('the stream is closed', () => watcher.isClosed());
      expect(performance.now() - before, 'other connections get one second').to.be.below(950);
    });

    it('continues at the other instance when one stops', async () => {
      await instances[0].close();
      await until('the streams of the stopped instance end', () => watchers.some((watcher) => watcher.isClosed()));
      const closed = watchers.filter((watcher) => watcher.isClosed());
      for (const { comments } of closed) expect(comments.at(-1)).to.match(/^the server stops/u);
      await append(30);
      const reconnected = await Promise.all(
        closed.map((watcher) =>
          watch(gateway.url, { query: '?api_key=secret', lastEventId: watcher.events().at(-1)?.cursor ?? '' }),
        ),
      );
      watchers = [...watchers, ...reconnected];
      await until('the reconnected watchers have received the rest', () =>
        reconnected.every((watcher) => watcher.events().length === 30),
      );
      for (const watcher of reconnected)
        expect(idsOf(watcher)).to.deep.equal(Array.from({ length: 30 }, (_, index) => 121 + index));
    });
  });
}
