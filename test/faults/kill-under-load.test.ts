/**
 * Kills the service (SIGKILL) at random moments under load. After the restart each acknowledged command is present exactly once, and
 * graph, tags, full text, journal and vectors agree. PALIMPSEST_KILL_ROUNDS is the number of kills (default 20).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { examineDataFolder } from '../support/checks/examine-data-folder.js';
import { createLedger, type Ledger } from '../support/checks/ledger.js';
import {
  expectListingMatchesLedger,
  expectMemoriesMatchLedger,
  expectMemoriesRecalled,
} from '../support/checks/ledger-assertions.js';
import { until } from '../support/checks/until.js';
import { type Random, seededRandom } from '../support/fixtures/random.js';
import { createTempFolder, type TempFolder } from '../support/fixtures/temp-folder.js';
import { type ChildService, startChildService } from '../support/processes/child-service.js';

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
      await killUnderLoad(service, ledgers, random);
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

async function killUnderLoad(service: ChildService, ledgers: readonly Ledger[], random: Random): Promise<void> {
  let running = true;
  const writers = ledgers.map(async (ledger) => {
    while (running) await ledger.step(service);
  });
  const outcome = Promise.allSettled(writers);
  await sleep(30 + random.below(400));
  await service.stop('SIGKILL');
  running = false;
  for (const result of await outcome) {
    if (result.status === 'rejected')
      expect(String(result.reason), 'the only errors are broken connections').to.match(
        /fetch failed|terminated|other side closed/u,
      );
  }
}

async function waitForVectors(service: ChildService, ledgers: readonly Ledger[]): Promise<void> {
  const expected = ledgers.reduce((sum, ledger) => sum + ledger.memories().length, 0);
  await until(
    'the vector index has every memory',
    async () => {
      const { body } = await service.request('GET', '/health');
      const isEnriched = body.enrichment.pending === 0 && body.projectors?.enricher?.lag_events === 0;
      // The index also holds the patterns of the enricher, so the count can be higher.
      return body.in_flight === 0 && isEnriched && body.vector_count >= expected && body.sync_status === 'synced';
    },
    120_000,
  );
}

async function expectStoresAgree(dataFolder: string, ledgers: readonly Ledger[]): Promise<void> {
  const findings = await examineDataFolder(dataFolder);
  const expected = ledgers.flatMap((ledger) => ledger.memories());
  expect(findings.disagreements).to.deep.equal([]);
  expect(findings.memories).to.equal(expected.length);
  expect(findings.associations).to.equal(ledgers.reduce((sum, ledger) => sum + ledger.associations(), 0));
}
