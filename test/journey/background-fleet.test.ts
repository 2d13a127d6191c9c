/**
 * Background work of two processes of each kind, seen by a client: both query APIs stream all events, both report the
 * same projector statuses, all export one trace, and a client survives the kill of one.
 */
import { expect } from 'chai';
import { until } from '../support/checks/until.js';
import { watch, type Watcher } from '../support/clients/event-stream.js';
import { openSpanCollector, type SpanCollector } from '../support/observability/span-collector.js';
import { type Fleet, startFleet } from '../support/processes/fleet.js';
import { openTestDeployment } from '../support/processes/test-deployment.js';
import { isServerWanted, type ServerName, SERVERS } from '../support/servers/servers.js';

const ADMIN = 'admin-of-the-fleet';
const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
/** The spans of a write in each process. */
const SPANS = {
  'command-api': ['storeMemory', 'commit group', 'apply to graph', 'neo4j write', 'recordEnrichments'],
  relay: ['publish events'],
  projectors: ['project vector-indexer', 'qdrant batch update', 'project enricher'],
};
/** Exports the traces of callers that record theirs, and no others. */
const tracing = ({ url }: SpanCollector) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER: 'parentbased_always_off',
  OTEL_BSP_SCHEDULE_DELAY: '200',
});
const [JOIN_MS, START_MS] = [60_000, 180_000];

if ((Object.keys(SERVERS) as ServerName[]).every((name) => isServerWanted(name))) {
  describe('background work of a fleet', function () {
    this.timeout(START_MS);
    let opened: Awaited<ReturnType<typeof openTestDeployment>>;
    let fleet: Fleet;
    let collector: SpanCollector;
    let watchers: readonly Watcher[] = [];
    before(async () => {
      opened = await openTestDeployment();
      collector = await openSpanCollector();
      fleet = await startFleet(opened.deployment, {
        each: 2,
        variables: { KAFKA_SESSION_TIMEOUT_MS: '6000', ADMIN_API_TOKEN: ADMIN, ...tracing(collector) },
      });
    });
    after(async () => {
      await Promise.all(watchers.map((watcher) => watcher.close()));
      await fleet.close();
      await collector.close();
      await opened.remove();
    });

    const store = async (content: string): Promise<string> => {
      const { status, body } = await fleet.request('POST', '/memory', { body: { content } });
      expect(status, JSON.stringify(body)).to.equal(201);
      return body.memory_id as string;
    };
    const hasSeen = (watcher: Watcher, subject: string): boolean =>
      watcher.events().some(({ data }) => data.subject === subject);

    it('appears as events and activity in the stream of each instance', async () => {
      const instances = fleet.members('query-api').map(({ url }) => url);
      watchers = await Promise.all([fleet.url, ...instances].map((url) => watch(url)));
      await until(
        'each instance streams a recall',
        async () => {
          await fleet.request('GET', '/recall?query=anything');
          return watchers.every((watcher) => watcher.activity('memory.recall').length > 0);
        },
        JOIN_MS,
      );
      const id = await store('Seen by all');
      await until('each instance streamed the event', () => watchers.every((watcher) => hasSeen(watcher, id)));
      for (const watcher of watchers)
        expect(watcher.activity('memory.store').map(({ data }) => data.id)).to.include(id);
    });

    it('is one trace with the request that caused it', async () => {
      const headers = { traceparent: `00-${TRACE_ID}-b7ad6b7169203331-01` };
      expect((await fleet.request('POST', '/memory', { headers, body: { content: 'Traced' } })).status).to.equal(201);
      const ofTrace = () => collector.exports().filter(({ body }) => body.includes(Buffer.from(TRACE_ID, 'hex')));
      for (const [name, spans] of Object.entries(SPANS))
        for (const span of spans)
          await until(`${name} exports ${span}`, () =>
            ofTrace().some(({ body }) => body.includes(`palimpsest-${name}`) && body.includes(span)),
          );
    });

    it('counts the subscribers per instance and names the instance', async () => {
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

    it('pauses on both instances, and each query API reports the same', async () => {
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
      const untilStatus = async (enricher: string): Promise<unknown> =>
        until(
          `the enricher is ${enricher} everywhere`,
          async () => JSON.stringify(await statuses()) === JSON.stringify(all(enricher)),
        );
      await untilStatus('running');
      await fleet.request('POST', '/admin/projectors/enricher/pause', { headers });
      await untilStatus('paused');
      const id = await store('Enriched once the enricher goes on');
      const status = async () => (await fleet.request('GET', '/enrichment/status')).body;
      await until('the memory is pending', async () => (await status()).pending > 0);
      await fleet.request('POST', '/admin/projectors/enricher/resume', { headers });
      await untilStatus('running');
      await until(
        'the memory is enriched',
        async () => (await fleet.request('GET', `/memory/${id}`)).body.memory.enriched,
      );
      await until('no memory is pending', async () => (await status()).pending === 0);
      expect((await status()).status).to.equal('running');
    });

    it('reaches a client without a gap when its instance is killed', async () => {
      const seen: number[] = [];
      const follow = async (): Promise<Watcher> =>
        watch(fleet.url, { query: '?only=events', lastEventId: seen.at(-1) ?? 0 });
      const ids: string[] = [];
      let watcher = await follow();
      for (let round = 0; round < 20; round += 1) {
        ids.push(await store(`Round ${round}`));
        if (round === 8) await fleet.members('query-api')[0]?.stop('SIGKILL');
        if (watcher.isClosed()) {
          seen.push(...watcher.events().map(({ id }) => id ?? 0));
          watcher = await until('another instance answers', () => follow().catch(() => null));
        }
      }
      const last = ids.at(-1) ?? '';
      await until('the last event arrived', async () => {
        if (!watcher.isClosed()) return hasSeen(watcher, last);
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
