/**
 * Writers with ledgers that store, change, delete and associate memories at a steady rate, or slower if the service is
 * slower.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { HttpCaller } from '../clients/http-caller.js';
import { seededRandom } from '../fixtures/random.js';
import { createLedger, type Ledger } from './ledger.js';

const WRITERS = 12;

export function startSteadyWrites(
  service: HttpCaller,
  { name, perSecond }: { readonly name: string; readonly perSecond: number },
) {
  const ledgers = Array.from({ length: WRITERS }, (_, index) => createLedger(`${name}${index}`, seededRandom(index)));
  const begin = performance.now();
  let isRunning = true;
  const writing = Promise.all(ledgers.map(writeOn));

  /** The writers take turns. */
  async function writeOn(ledger: Ledger, writer: number): Promise<void> {
    for (let turn = writer; isRunning; turn += WRITERS) {
      await pause(Math.max(0, begin + (turn * 1_000) / perSecond - performance.now()));
      await ledger.step(service);
    }
  }
  const count = (): number => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged(), 0);
  return {
    count,
    reached: async (wanted: number): Promise<void> => {
      while (count() < wanted) await Promise.race([pause(10), writing]);
    },
    /** Resolves with the writes per second. */
    stop: async (): Promise<number> => {
      isRunning = false;
      await writing;
      return (count() * 1_000) / (performance.now() - begin);
    },
  };
}
