/**
 * The differential proof that tenants are separate: whatever another tenant holds or does, the replies of a tenant are
 * the same, byte by byte.
 */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import { type Observed, observeTenant } from '../../support/tenants/observe-tenant.js';
import { importMemories, neighbourMemoryOf, startWriting } from '../../support/tenants/same-words.js';
import { OPERATION_NAMES } from '../../support/tenants/send-operation.js';
import {
  type OpenServiceWithTenants,
  SERVICES_WITH_TENANTS,
  type ServiceWithTenants,
} from '../../support/tenants/service-with-tenants.js';
import { makeTenant, OPERATOR, type TestTenant } from '../../support/tenants/tenant.js';

/** Servers take longer to store them. */
const MEMORIES_OF_NEIGHBOUR = process.env['PALIMPSEST_TEST_ENGINES'] === 'real' ? 2_000 : 10_000;
/** The others are in its graph and its word index: to index their vectors takes longer than the test. */
const VECTORS_OF_NEIGHBOUR = 1_000;
const MEMORIES_OF_DEFAULT_TENANT = 200;
/** Requests of the writer during the observation: fewer would be no load. */
const WRITES_MINIMUM = 30;

const memories = (count: number) => Array.from({ length: count }, (_, number) => neighbourMemoryOf(number));

async function withService<T>(
  { open }: OpenServiceWithTenants,
  use: (service: ServiceWithTenants) => Promise<T>,
): Promise<T> {
  const service = await open();
  try {
    return await use(service);
  } finally {
    await service.close();
  }
}

const health = async ({ request }: TestTenant) => (await request('GET', '/health')).body;

const observeAlone = (service: ServiceWithTenants): Promise<readonly Observed[]> => observeTenant(service);

/** The neighbour and the default tenant have the ids of the observed tenant with other contents. */
async function observeNextToMany(service: ServiceWithTenants): Promise<readonly Observed[]> {
  const { url } = service;
  const neighbour = await makeTenant(service, 'neighbour');
  const { headers, request } = neighbour;
  const all = memories(MEMORIES_OF_NEIGHBOUR);
  // Its enrichments take a minute, and add no other words.
  await request('POST', '/admin/projectors/enricher/pause');
  await importMemories({ url, headers }, all.slice(0, VECTORS_OF_NEIGHBOUR));
  await until('its vectors are indexed', async () => (await health(neighbour)).vector_count === VECTORS_OF_NEIGHBOUR);
  await request('POST', '/admin/projectors/vector-indexer/pause');
  await importMemories(
    { url, headers },
    all.slice(VECTORS_OF_NEIGHBOUR).map((memory) => ({ ...memory, embedding: undefined })),
  );
  await importMemories({ url, headers: OPERATOR }, memories(MEMORIES_OF_DEFAULT_TENANT));
  expect((await health(neighbour)).memory_count).to.equal(MEMORIES_OF_NEIGHBOUR);
  const observed = await observeTenant(service);
  await neighbour.remove();
  return observed;
}

async function observeNextToWriter(service: ServiceWithTenants): Promise<readonly Observed[]> {
  const { url } = service;
  const neighbour = await makeTenant(service, 'writer');
  const writer = startWriting({ url, neighbour });
  const watcher = await watch(url, { headers: neighbour.headers });
  try {
    const observed = await observeTenant(service);
    expect(writer.answered()).to.be.at.least(WRITES_MINIMUM);
    return observed;
  } finally {
    await watcher.close();
    await writer.stop();
    await neighbour.remove();
  }
}

const NEIGHBOURS = {
  'thousands of memories with its ids and words': observeNextToMany,
  'a writer at full speed': observeNextToWriter,
} as const;

for (const composition of SERVICES_WITH_TENANTS)
  describe(`replies to a tenant, ${composition.name}`, function () {
    this.timeout(600_000);
    let alone: readonly Observed[];
    const next = new Map<string, readonly Observed[]>();
    before(async () => {
      const [first = [], ...others] = await observeAll(composition);
      alone = first;
      Object.keys(NEIGHBOURS).forEach((name, index) => next.set(name, others[index] ?? []));
    });

    it('cover every operation', () => {
      const seen = new Set(alone.map(({ operation }) => operation));
      expect(OPERATION_NAMES.filter((name) => !seen.has(name))).to.deep.equal([]);
    });

    for (const name of Object.keys(NEIGHBOURS))
      it(`are the same next to ${name}`, () => {
        const observed = next.get(name) ?? [];
        expect(observed.map(({ request }) => request)).to.deep.equal(alone.map(({ request }) => request));
        alone.forEach(({ request, reply }, index) => {
          const [expected, found] = differenceOf(reply, observed[index]?.reply ?? '');
          expect(found, request).to.equal(expected);
        });
      });
  });

const SHOWN_CHARACTERS = 400;

/** Of two long texts what is around their first difference. */
function differenceOf(one: string, other: string): readonly [string, string] {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  if (at === one.length && at === other.length) return ['', ''];
  const around = (text: string): string => text.slice(Math.max(0, at - SHOWN_CHARACTERS), at + SHOWN_CHARACTERS);
  return [around(one), around(other)];
}

/** In services at the same time where the composition can, because most of an observation waits for jobs. */
async function observeAll(composition: OpenServiceWithTenants): Promise<readonly (readonly Observed[])[]> {
  const observations = [observeAlone, ...Object.values(NEIGHBOURS)];
  if (composition.isExclusive)
    return withService(composition, async (service) => {
      const observed: (readonly Observed[])[] = [];
      for (const observe of observations) observed.push(await observe(service));
      return observed;
    });
  const opened = observations.map((observe) => withService(composition, observe));
  // Each of them closes its service, also where another one fails.
  await Promise.allSettled(opened);
  return Promise.all(opened);
}
