/**
 * SIGKILL at random moments under load: every acknowledged command is there after the restart, none twice, and graph, tags, full
 * text, journal and vectors agree. PALIMPSEST_KILL_ROUNDS says how often (default 20).
 */
import { expect } from 'chai';
import { setTimeout as elapse } from 'node:timers/promises';
import { startChildService, type ChildService } from '../support/child-service.js';
import { agreesWithBooks, everyMemoryIsThere, memoriesAreRecalled } from '../support/books.js';
import { examine } from '../support/examine.js';
import { createLedger, type Ledger } from '../support/ledger.js';
import { seededRandom, type Random } from '../support/random.js';
import { createTempFolder, type TempFolder } from '../support/temp-folder.js';
import { until } from '../support/until.js';

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

  it(`keeps every acknowledged command through ${ROUNDS} kills, each exactly once`, async () => {
    const random = seededRandom(SEED);
    const ledgers = Array.from({ length: WRITERS }, (_, index) =>
      createLedger(`w${index}`, seededRandom(SEED + index)),
    );
    for (let round = 0; round < ROUNDS; round += 1) {
      const service = await startChildService({ dataFolder: folder.path });
      await Promise.all(ledgers.map((ledger) => ledger.settleDoubt(service)));
      await Promise.all(ledgers.map((ledger) => agreesWithBooks(service, ledger)));
      await killUnderLoad(service, ledgers, random);
    }
    const service = await startChildService({ dataFolder: folder.path });
    await Promise.all(ledgers.map((ledger) => ledger.settleDoubt(service)));
    for (const ledger of ledgers) await everyMemoryIsThere(service, ledger);
    for (const ledger of ledgers) await memoriesAreRecalled(service, ledger);
    await vectorsCatchUp(service, ledgers);
    expect(await service.stop('SIGTERM')).to.equal(0);
    await storesAgree(folder.path, ledgers);
    expect(ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0)).to.be.greaterThan(ROUNDS * WRITERS);
  });
});

async function killUnderLoad(service: ChildService, ledgers: readonly Ledger[], random: Random): Promise<void> {
  let running = true;
  const writers = ledgers.map(async (ledger) => {
    while (running) await ledger.step(service);
  });
  const outcome = Promise.allSettled(writers);
  await elapse(30 + random.below(400));
  await service.stop('SIGKILL');
  running = false;
  for (const result of await outcome) {
    if (result.status === 'rejected')
      expect(String(result.reason), 'only broken connections').to.match(/fetch failed|terminated|other side closed/u);
  }
}

async function vectorsCatchUp(service: ChildService, ledgers: readonly Ledger[]): Promise<void> {
  const expected = ledgers.reduce((sum, ledger) => sum + ledger.memories().length, 0);
  await until(
    'the vector index has every memory',
    async () => {
      const { body } = await service.request('GET', '/health');
      const isEnriched = body.enrichment.pending === 0 && body.projectors?.enricher?.lag_events === 0;
      // Beside the memories of the books stand the patterns that the enricher observes.
      return body.in_flight === 0 && isEnriched && body.vector_count >= expected && body.sync_status === 'synced';
    },
    120_000,
  );
}

async function storesAgree(dataFolder: string, ledgers: readonly Ledger[]): Promise<void> {
  const findings = await examine(dataFolder);
  const booked = ledgers.flatMap((ledger) => ledger.memories());
  expect(findings.disagreements).to.deep.equal([]);
  expect(findings.memories).to.equal(booked.length);
  expect(findings.associations).to.equal(ledgers.reduce((sum, ledger) => sum + ledger.associations(), 0));
}
