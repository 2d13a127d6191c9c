/**
 * Kills the service (SIGKILL) at random moments under load. After the restart each acknowledged command is present
 * exactly once, and graph, tags, full text, journal and vectors agree. PALIMPSEST_KILL_ROUNDS is the number of kills
 * (default 20).
 */
import { expect } from 'chai';
import { expectStoresAgree, killUnderLoad, waitForVectors } from '../support/checks/embedded-kills.js';
import { createLedger } from '../support/checks/ledger.js';
import {
  expectListingMatchesLedger,
  expectMemoriesMatchLedger,
  expectMemoriesRecalled,
} from '../support/checks/ledger-assertions.js';
import { seededRandom } from '../support/fixtures/random.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { startChildService } from '../support/processes/child-service.js';

const ROUNDS = Number(process.env['PALIMPSEST_KILL_ROUNDS'] ?? 20);
const SEED = Number(process.env['PALIMPSEST_KILL_SEED'] ?? 20_240_607);
const WRITERS = 6;

describe('the service killed under load', function () {
  this.timeout(30_000 + ROUNDS * 20_000);
  let folder: TempFolder;
  before(async () => {
    folder = await createTempFolder();
  });
  after(() => folder.remove());

  it(`keeps each acknowledged command exactly once in ${ROUNDS} kills`, async () => {
    const random = seededRandom(SEED);
    const ledgers = Array.from({ length: WRITERS }, (_, index) =>
      createLedger(`w${index}`, seededRandom(SEED + index)),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await startChildService({ dataFolder: folder.path });
      await Promise.all(ledgers.map((ledger) => ledger.resendUnconfirmed(service)));
      await Promise.all(ledgers.map((ledger) => expectListingMatchesLedger(service, ledger)));
      await killUnderLoad(service, ledgers, { random });
    }
    const service = await startChildService({ dataFolder: folder.path });
    await Promise.all(ledgers.map((ledger) => ledger.resendUnconfirmed(service)));
    for (const ledger of ledgers) await expectMemoriesMatchLedger(service, ledger);
    for (const ledger of ledgers) await expectMemoriesRecalled(service, ledger);
    await waitForVectors(service, ledgers);
    expect(await service.stop('SIGTERM')).to.equal(0);
    await expectStoresAgree(folder.path, ledgers);
    expect(ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0)).to.be.greaterThan(ROUNDS * WRITERS);
  });
});
