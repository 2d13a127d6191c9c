/**
 * Loss of power under load (SIGKILL, then all or some unsynced writes are taken back). After the restart each
 * acknowledged command is present exactly once, and graph, journal and vectors agree.
 */
import { expect } from 'chai';
import { differencesOfFolder } from '../support/checks/compare-deployment.js';
import { expectStoresAgree, killUnderLoad, waitForVectors } from '../support/checks/embedded-kills.js';
import { createLedger, type Ledger } from '../support/checks/ledger.js';
import { expectListingMatchesLedger, expectMemoriesMatchLedger } from '../support/checks/ledger-assertions.js';
import { type FaultyDisk, openFaultyDisk, skipWithoutFaultyDisk } from '../support/faults/disk/faulty-disk.js';
import { seededRandom } from '../support/fixtures/random.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

const SEED = Number(process.env['PALIMPSEST_KILL_SEED'] ?? 20_240_607);
const WRITERS = 4;
/** Commands that are acknowledged before each loss of power. */
const COMMANDS = 40;
/** The share of unsynced sectors that each loss of power leaves on the disk. */
const KEPT_SHARES = [0, 0.5, 0.9];

describe('the service after a loss of power', function () {
  let folder: TempFolder;
  let disk: FaultyDisk;
  before(async function () {
    await skipWithoutFaultyDisk(this);
  });
  beforeEach(async () => {
    folder = await createTempFolder();
    disk = await openFaultyDisk(folder.path);
  });
  afterEach(async () => {
    await disk.remove();
    await folder.remove();
  });

  const start = (): Promise<ChildService> => startChildService({ dataFolder: folder.path, variables: disk.variables });
  const ledgersOf = (name: string): readonly Ledger[] =>
    Array.from({ length: WRITERS }, (_, index) => createLedger(`${name}${index}`, seededRandom(SEED + index)));

  it('has each acknowledged command exactly once', async () => {
    const random = seededRandom(SEED);
    const ledgers = ledgersOf('p');
    let lostSectors = 0;
    for (const keptShare of KEPT_SHARES) {
      const service = await start();
      await Promise.all(ledgers.map((ledger) => ledger.resendUnconfirmed(service)));
      await killUnderLoad(service, ledgers, { random, commands: COMMANDS });
      lostSectors += await disk.losePower({ keptShare, random });
    }
    const service = await start();
    await Promise.all(ledgers.map((ledger) => ledger.resendUnconfirmed(service)));
    for (const ledger of ledgers) await expectMemoriesMatchLedger(service, ledger);
    for (const ledger of ledgers) await expectListingMatchesLedger(service, ledger);
    await waitForVectors(service, ledgers);
    expect(await service.stop('SIGTERM')).to.equal(0);
    await expectStoresAgree(folder.path, ledgers);
    const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0);
    process.stdout.write(`        ${acknowledged} commands acknowledged, ${lostSectors} unsynced sectors lost\n`);
    expect(lostSectors).to.be.greaterThan(0);
  });

  it('makes its index again from the journal', async () => {
    const ledgers = ledgersOf('q').slice(0, 1);
    const [ledger] = ledgers as [Ledger];
    let service = await start();
    while (ledger.memories().length < 10) await ledger.step(service);
    await waitForVectors(service, ledgers);
    await service.stop('SIGKILL');
    expect(await disk.losePower({ keptShare: 0, random: seededRandom(SEED) })).to.be.greaterThan(0);
    service = await start();
    await expectMemoriesMatchLedger(service, ledger);
    await waitForVectors(service, ledgers);
    expect(await service.stop('SIGTERM')).to.equal(0);
    await expectStoresAgree(folder.path, ledgers);
  });

  // Shows that the tests above can fail.
  it('misses memories if the disk ignored its syncs', async () => {
    const [ledger] = ledgersOf('i') as [Ledger];
    await (await start()).stop('SIGTERM'); // the tables are durable
    await disk.become({ ignoresSyncs: true });
    const liar = await start();
    while (ledger.acknowledged() < 20) await ledger.step(liar);
    await liar.stop('SIGKILL');
    await disk.losePower({ keptShare: 0, random: seededRandom(SEED) });
    await disk.become({});
    const service = await start();
    const { body } = await service.request('GET', `/memory/by-tag?tags=${ledger.tag}&limit=200`);
    // Journal, graph and index are one file, so they lost the same commits.
    expect(await differencesOfFolder(folder.path)).to.deep.equal([]);
    await service.stop('SIGTERM');
    expect(body.memories).to.have.length.below(ledger.memories().length);
  });
});
