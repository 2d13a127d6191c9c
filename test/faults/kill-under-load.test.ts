/**
 * Kills the service (SIGKILL) at random moments while three tenants write. After the restart each acknowledged command
 * is present exactly once, in its tenant alone, and graph, tags, full text, journal and vectors of each tenant agree.
 * PALIMPSEST_KILL_ROUNDS is the number of kills (default 20).
 */
import { join } from 'node:path';
import { expect } from 'chai';
import { expectStoresAgree, killUnderLoad, waitForVectors } from '../support/checks/embedded-kills.js';
import { createLedger, type Ledger } from '../support/checks/ledger.js';
import {
  expectListingMatchesLedger,
  expectMemoriesMatchLedger,
  expectMemoriesRecalled,
} from '../support/checks/ledger-assertions.js';
import type { HttpCaller } from '../support/clients/http-caller.js';
import { seededRandom } from '../support/fixtures/random.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

const ROUNDS = Number(process.env['PALIMPSEST_KILL_ROUNDS'] ?? 20);
const SEED = Number(process.env['PALIMPSEST_KILL_SEED'] ?? 20_240_607);
const WRITERS = 6;
const ADMIN = 'admin-of-the-tests';

/** Its folder, and its caller by a key of its own. */
type Tenant = { readonly folder: string; readonly as: (service: HttpCaller) => HttpCaller };

async function makeTenant(service: ChildService, dataFolder: string, name: string): Promise<Tenant> {
  const headers = { 'X-Admin-Token': ADMIN };
  const { id } = (await service.request('POST', '/admin/tenants', { headers, body: { name } })).body.tenant;
  const body = { name: 'agent', scopes: ['memories:read', 'memories:write', 'memories:delete'] };
  const { secret } = (await service.request('POST', `/admin/tenants/${id}/keys`, { headers, body })).body;
  return {
    folder: join(dataFolder, 'tenants', id),
    as: ({ request }) => ({
      request: (method, path, options = {}) =>
        request(method, path, { ...options, headers: { ...options.headers, authorization: `Bearer ${secret}` } }),
    }),
  };
}

/** The ledger of a writer of this tenant. */
function writingAs({ as }: Tenant, ledger: Ledger): Ledger {
  return {
    ...ledger,
    step: (service) => ledger.step(as(service)),
    resendUnconfirmed: (service) => ledger.resendUnconfirmed(as(service)),
  };
}

describe('the service killed under load', function () {
  this.timeout(30_000 + ROUNDS * 20_000);
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it(`keeps each acknowledged command exactly once in ${ROUNDS} kills`, async () => {
    const random = seededRandom(SEED);
    const start = () => startChildService({ dataFolder: folder.path, variables: { ADMIN_API_TOKEN: ADMIN } });
    const first = await start();
    const tenants: readonly Tenant[] = [
      { folder: folder.path, as: (service) => service },
      await makeTenant(first, folder.path, 'blue'),
      await makeTenant(first, folder.path, 'amber'),
    ];
    const writers = tenants.map((tenant, number) => ({
      ...tenant,
      ledgers: Array.from({ length: WRITERS / tenants.length }, (_, index) =>
        writingAs(tenant, createLedger(`t${number}w${index}`, seededRandom(SEED + 10 * number + index))),
      ),
    }));
    const ledgers = writers.flatMap((tenant) => tenant.ledgers);
    const each = (check: (caller: HttpCaller, ledger: Ledger) => Promise<unknown>, service: HttpCaller) =>
      Promise.all(writers.flatMap((tenant) => tenant.ledgers.map((ledger) => check(tenant.as(service), ledger))));
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = round === 0 ? first : await start();
      await Promise.all(ledgers.map((ledger) => ledger.resendUnconfirmed(service)));
      await each(expectListingMatchesLedger, service);
      await killUnderLoad(service, ledgers, { random });
    }
    const service = await start();
    await Promise.all(ledgers.map((ledger) => ledger.resendUnconfirmed(service)));
    await each(expectMemoriesMatchLedger, service);
    await each(expectMemoriesRecalled, service);
    for (const tenant of writers) await waitForVectors(tenant.as(service), tenant.ledgers);
    expect(await service.stop('SIGTERM')).to.equal(0);
    for (const tenant of writers) await expectStoresAgree(tenant.folder, tenant.ledgers);
    expect(ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0)).to.be.greaterThan(ROUNDS * WRITERS);
  });
});
