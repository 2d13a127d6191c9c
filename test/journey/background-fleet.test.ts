/**
 * Background work seen from outside, where two processes of each kind do it: the live stream shows everything at both query APIs, and what
 * projectors tell is the same whoever answers. One of them may be killed.
 */
import { expect } from 'chai';
import { startFleet, type Fleet } from '../support/fleet.js';
import { openGround } from '../support/ground.js';
import { watch, type Watcher } from '../support/event-stream.js';
import { isServerWanted, SERVERS, type ServerName } from '../support/servers.js';
import { until } from '../support/until.js';

const ADMIN = 'admin-of-the-fleet';
const [JOIN_MS, START_MS] = [60_000, 180_000];

if ((Object.keys(SERVERS) as ServerName[]).every((name) => isServerWanted(name))) {
  describe('background work of a fleet', function () {
    this.timeout(START_MS);
    let place: Awaited<ReturnType<typeof openGround>>;
    let fleet: Fleet;
    let watchers: readonly Watcher[] = [];
    before(async () => {
      place = await openGround();
      fleet = await startFleet(place.ground, {
        each: 2,
        variables: { KAFKA_SESSION_TIMEOUT_MS: '6000', ADMIN_API_TOKEN: ADMIN },
      });
    });
    after(async () => {
      await Promise.all(watchers.map((watcher) => watcher.close()));
      await fleet.close();
      await place.remove();
    });

    const store = async (content: string): Promise<string> =>
      (await fleet.request('POST', '/memory', { body: { content } })).body.memory_id as string;
    const hasSeen = (watcher: Watcher, subject: string): boolean =>
      watcher.events().some(({ data }) => data.subject === subject);

    it('shows events and activity at every instance', async () => {
      const instances = fleet.members('query-api').map(({ url }) => url);
      watchers = await Promise.all([fleet.url, ...instances].map((url) => watch(url)));
      await until(
        'every instance hears of a recall',
        async () => {
          await fleet.request('GET', '/recall?query=anything');
          return watchers.every((watcher) => watcher.activity('memory.recall').length > 0);
        },
        JOIN_MS,
      );
      const id = await store('Seen by all');
      await until('all have seen it', () => watchers.every((watcher) => hasSeen(watcher, id)));
      for (const watcher of watchers)
        expect(watcher.activity('memory.store').map(({ data }) => data.id)).to.include(id);
    });

    it('names the instance that answers for how many watch', async () => {
      const statuses = await Promise.all(
        fleet
          .members('query-api')
          .map(
            async ({ url }) =>
              (await (await fetch(`${url}/stream/status`)).json()) as { subscribers: number; instance: string },
          ),
      );
      expect(statuses.reduce((sum, { subscribers }) => sum + subscribers, 0)).to.equal(watchers.length);
      expect(new Set(statuses.map(({ instance }) => instance)).size).to.equal(2);
    });

    it('tells of both instances of each projector, lets both stand still, and says the same whoever answers', async () => {
      const headers = { 'x-admin-token': ADMIN };
      const statuses = async (): Promise<readonly string[][]> =>
        Promise.all(
          fleet.members('query-api').map(async ({ url }) => {
            const { projectors } = (await (await fetch(`${url}/admin/projectors`, { headers })).json()) as {
              projectors: { name: string; status: string; instances: { status: string }[] }[];
            };
            return projectors.map(({ name, status, instances }) =>
              [name, status, ...instances.map((each) => each.status)].join(' '),
            );
          }),
        );
      const all = (enricher: string): readonly string[][] =>
        Array.from({ length: 2 }, () => [
          'vector-indexer running running running',
          `enricher ${enricher} ${enricher} ${enricher}`,
        ]);
      const show = async (enricher: string): Promise<unknown> =>
        until(
          `the enricher is ${enricher} everywhere`,
          async () => JSON.stringify(await statuses()) === JSON.stringify(all(enricher)),
          30_000,
        );
      await show('running');
      await fleet.request('POST', '/admin/projectors/enricher/pause', { headers });
      await show('paused');
      const id = await store('Enriched once the enricher goes on');
      const status = async () => (await fleet.request('GET', '/enrichment/status')).body;
      await until('it waits', async () => (await status()).pending > 0);
      await fleet.request('POST', '/admin/projectors/enricher/resume', { headers });
      await show('running');
      await until(
        'it is enriched',
        async () => (await fleet.request('GET', `/memory/${id}`)).body.memory.enriched,
        30_000,
      );
      await until(
        'nothing waits any more, whatever came before it',
        async () => (await status()).pending === 0,
        30_000,
      );
      expect((await status()).status).to.equal('running');
    });

    it('goes on behind the gateway where the instance of a client is killed', async () => {
      const seen: number[] = [];
      const follow = async (): Promise<Watcher> =>
        watch(fleet.url, { query: '?only=events', lastEventId: seen.at(-1) ?? 0 });
      const ids: string[] = [];
      let watcher = await follow();
      for (let round = 0; round < 20; round += 1) {
        ids.push(await store(`Round ${round}`));
        if (round === 8) await fleet.members('query-api')[0]?.stop('SIGKILL');
        if (watcher.isOver()) {
          seen.push(...watcher.events().map(({ id }) => id ?? 0));
          watcher = await until('another instance answers', () => follow().catch(() => null));
        }
      }
      const last = ids.at(-1) ?? '';
      await until('the last is seen', async () => {
        if (!watcher.isOver()) return hasSeen(watcher, last);
        seen.push(...watcher.events().map(({ id }) => id ?? 0));
        watcher = await follow();
        return false;
      });
      seen.push(...watcher.events().map(({ id }) => id ?? 0));
      await watcher.close();
      expect(seen).to.deep.equal(Array.from({ length: seen.length }, (_, index) => (seen[0] ?? 0) + index));
      expect(seen.length).to.be.at.least(21);
    });
  });
}
