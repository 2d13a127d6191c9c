/** Names of a tenant that are sent with the key of another one: they are worth as much as names that nothing has. */
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import pLimit from 'p-limit';
import type { OperationName } from '../../../shared/contract/operations.js';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import { createHttpCaller } from '../../support/clients/http-caller.js';
import {
  compare,
  type Compared,
  placesInBodies,
  placesInPaths,
  placesInQueries,
} from '../../support/tenants/compare-probes.js';
import { forgeKey } from '../../support/tenants/forge-key.js';
import { type Holdings, makeHoldings } from '../../support/tenants/holdings.js';
import { CANARY } from '../../support/tenants/same-words.js';
import { SERVICES_WITH_TENANTS, type ServiceWithTenants } from '../../support/tenants/service-with-tenants.js';
import { makeTenant, type TestTenant } from '../../support/tenants/tenant.js';
import { fastTimes } from '../../support/tenants/time-probes.js';

/** Where a name of this kind opens something. */
const PATHS = {
  'memory id': '/memory/',
  entity: '/entity/',
  'job id': '/admin/jobs/',
  'webhook id': '/admin/webhooks/',
} as const;
/** The tenant itself has never sent it. */
const WORD_OF_STREAM = 'quagmirewort';
const CONCURRENT_PROBES = 4;
const REFUSED = [400, 403, 404];
/** Operations that answer every name: with the page of the viewer, or with an empty list. */
const ANSWERED: readonly OperationName[] = ['showViewerFile', 'listRelated'];
/** A position of one journal means nothing in another. */
const POSITION = /^(?:feed cursor|receipt|stream position) in (?:after|consistent_with) of /u;
/** Of each kind of request in turns: a busy machine delays both of a pair. */
const TIMED_PAIRS = 60;
/** The times may differ by 2 ms and half of the shorter one: a look into the data of another tenant takes longer. */
const TIME_BOUND = { ms: 2, part: 0.5 };

const EVENTS = 200;

/** Leaves the tenant empty, with a journal that has the positions of its neighbour. */
async function lengthenJournal({ request, settled }: TestTenant): Promise<void> {
  const memories = Array.from({ length: EVENTS }, (_, number) => ({ content: `Note ${number}`, tags: ['gone'] }));
  expect((await request('POST', '/memory/batch', { body: { memories } })).status).to.equal(201);
  expect((await request('DELETE', '/memory/by-tag?tags=gone')).body.deleted_count).to.equal(EVENTS);
  await settled();
}

for (const { name: composition, open } of SERVICES_WITH_TENANTS)
  describe(`names of another tenant, ${composition}`, function () {
    this.timeout(300_000);
    let service: ServiceWithTenants;
    let tenant: TestTenant;
    let neighbour: TestTenant;
    let held: Holdings;
    before(async () => {
      service = await open();
      tenant = await makeTenant(service, 'observed');
      neighbour = await makeTenant(service, 'neighbour');
      held = await makeHoldings(service, neighbour);
      await lengthenJournal(tenant);
    });
    after(() => service.close());

    const valueOf = (kind: string): string => held.probes.find((probe) => probe.kind === kind)?.value ?? '';

    const absentOf = (kind: string): string => held.probes.find((probe) => probe.kind === kind)?.absent ?? '';

    async function compareAll(places: ReturnType<typeof placesInPaths>): Promise<readonly Compared[]> {
      const limit = pLimit(CONCURRENT_PROBES);
      const target = { url: service.url, headers: tenant.headers };
      const pairs = places.flatMap((place) => held.probes.map((probe) => limit(() => compare(target, place, probe))));
      const compared = await Promise.all(pairs);
      expect(compared.filter(({ leaks }) => leaks)).to.deep.equal([]);
      return compared;
    }

    function expectSame(compared: readonly Compared[]): void {
      for (const { title, reply, replyForAbsent } of compared) expect(reply, title).to.equal(replyForAbsent);
    }

    it('open what their own tenant has', async () => {
      for (const [kind, path] of Object.entries(PATHS))
        expect((await neighbour.request('GET', `${path}${valueOf(kind)}`)).status, kind).to.equal(200);
    });

    it('in paths are refused as absent ones are', async () => {
      const compared = await compareAll(placesInPaths());
      expectSame(compared);
      const answered = compared.filter(({ status }) => !REFUSED.includes(status));
      expect(answered.filter(({ operation }) => !ANSWERED.includes(operation))).to.deep.equal([]);
    });

    it('in bodies get the replies of absent ones', async () => expectSame(await compareAll(placesInBodies())));

    it('in queries get the replies of absent ones', async () => {
      const compared = await compareAll(placesInQueries());
      expectSame(compared);
      const positions = compared.filter(({ title }) => POSITION.test(title));
      expect(positions.map(({ status }) => status)).to.deep.equal(Array.from(positions, () => 400));
      expect(positions).to.not.deep.equal([]);
    });

    it('in headers are not known', async () => {
      const { body, key } = held.command;
      for (const sent of [body, { content: 'another body' }]) {
        const stored = await tenant.request('POST', '/memory', { body: sent, headers: { 'idempotency-key': key } });
        expect(stored.status).to.equal(sent === body ? 201 : 422);
        expect(stored.body.memory_id).to.not.equal(held.memory);
      }
      const headers = { ...tenant.headers, 'last-event-id': held.streamPosition };
      const stream = await fetch(`${service.url}/stream`, { headers });
      await stream.body?.cancel();
      expect(stream.status).to.equal(400);
    });

    it('are in no frame of a live stream', async () => {
      const watcher = await watch(service.url, { headers: tenant.headers });
      try {
        await neighbour.request('POST', '/memory', { body: { content: WORD_OF_STREAM } });
        await neighbour.request('GET', `/recall?query=${WORD_OF_STREAM}`);
        const stored = await tenant.request('POST', '/memory', { body: { content: 'the last one' } });
        const isLast = ({ data }: { readonly data: { readonly subject?: string } }): boolean =>
          data.subject === stored.body.memory_id;
        await until('the stream shows the last memory', () => watcher.frames.some(isLast));
        expect(JSON.stringify(watcher.frames)).to.not.include(WORD_OF_STREAM);
      } finally {
        await watcher.close();
      }
    });

    it('are refused as fast as absent ones', async () => {
      const { request } = createHttpCaller(service.url);
      const withKey = (key: string) => () =>
        request('GET', '/memories', { headers: { authorization: `Bearer ${key}` } });
      const asked: Record<string, Parameters<typeof fastTimes>[0]> = {
        'a key': {
          one: withKey(forgeKey(tenant.key, neighbour.id)),
          other: withKey(forgeKey(tenant.key, randomUUID())),
        },
      };
      for (const [kind, path] of Object.entries(PATHS))
        asked[kind] = {
          one: () => tenant.request('GET', `${path}${valueOf(kind)}`),
          other: () => tenant.request('GET', `${path}${absentOf(kind)}`),
        };
      for (const [title, pair] of Object.entries(asked)) {
        const { one, other } = await fastTimes(pair, TIMED_PAIRS);
        const bound = TIME_BOUND.ms + TIME_BOUND.part * Math.min(one, other);
        expect(Math.abs(one - other), `${title}: ${one} ms and ${other} ms`).to.be.at.most(bound);
      }
    });

    // The last one: the id belongs to both tenants then.
    it('in a backup are refused, and ids are free to import', async () => {
      const refused = await tenant.request('POST', '/admin/import', { raw: held.backup });
      expect(refused.status).to.equal(400);
      const memories = [{ id: held.memory, content: 'of the observed tenant' }];
      const imported = await tenant.request('POST', '/admin/import', { body: { memories } });
      expect(imported.body.memories).to.deep.include({ stored: 1, existing: 0 });
      await Promise.all([tenant.settled(), neighbour.settled()]);
      const [own, theirs] = await Promise.all(
        [tenant, neighbour].map(({ request }) => request('GET', `/memory/${held.memory}`)),
      );
      expect(own?.body.memory.content).to.equal('of the observed tenant');
      expect(theirs?.body.memory.content).to.include(CANARY);
    });
  });
