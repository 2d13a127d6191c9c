/**
 * The steps of tests that kill the embedded service under load: load and kill, wait for the background work, compare
 * all stores.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { HttpCaller } from '../clients/http-caller.js';
import type { Random } from '../fixtures/random.js';
import type { ChildService } from '../processes/child-service.js';
import { differencesOfFolder } from './compare-deployment.js';
import { examineDataFolder } from './examine-data-folder.js';
import type { Ledger } from './ledger.js';
import { until } from './until.js';

/** Kills the service at a random moment after the writers have had `commands` acknowledged. */
export async function killUnderLoad(
  service: ChildService,
  ledgers: readonly Ledger[],
  { random, commands = 0 }: { readonly random: Random; readonly commands?: number },
): Promise<void> {
  const acknowledged = (): number => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0);
  const wanted = acknowledged() + commands;
  let running = true;
  const writers = ledgers.map(async (ledger) => {
    while (running) await ledger.step(service);
  });
  const outcome = Promise.allSettled(writers);
  await until(`${commands} commands are acknowledged`, () => acknowledged() >= wanted);
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

export async function waitForVectors(service: HttpCaller, ledgers: readonly Ledger[]): Promise<void> {
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

export async function expectStoresAgree(dataFolder: string, ledgers: readonly Ledger[]): Promise<void> {
  const findings = await examineDataFolder(dataFolder);
  const expected = ledgers.flatMap((ledger) => ledger.memories());
  expect(findings.disagreements).to.deep.equal([]);
  expect(findings.memories).to.equal(expected.length);
  expect(findings.associations).to.equal(ledgers.reduce((sum, ledger) => sum + ledger.associations(), 0));
  expect(await differencesOfFolder(dataFolder)).to.deep.equal([]);
}
