/**
 * The distributed composition in one process, with simulated engines, virtual time and faults that follow from a seed.
 * A failure prints its schedule; `npm run simulate -- --seed N` replays it.
 */
import { expect } from 'chai';
import { knownName } from './known.js';
import { runSeed, type SeedResult } from './run-seed.js';
import { scheduleTable } from './schedule-table.js';

/** The schedules of a seed change with the code, so each version of it meets as many new ones. */
const FIXED_SEEDS = Array.from(
  { length: Number(process.env['PALIMPSEST_SIMULATION_SEEDS'] ?? 4) },
  (_, index) => index + 1,
);
const TIMEOUT_MS = 600_000;

function expectNoUnknownViolation(result: SeedResult): void {
  const unknown = result.violations.filter((violation) => knownName(violation, result.faults) === null);
  expect(unknown, scheduleTable(result, unknown[0])).to.deep.equal([]);
}

describe('simulation of the distributed composition', function () {
  this.timeout(TIMEOUT_MS);

  for (const seed of FIXED_SEEDS)
    it(`keeps every invariant with seed ${seed}`, async () => {
      expectNoUnknownViolation(await runSeed(seed));
    });

  it('keeps every invariant with a random seed', async () => {
    const seed = Math.floor(Math.random() * 1e9);
    process.stdout.write(`      seed ${seed}\n`);
    expectNoUnknownViolation(await runSeed(seed));
  });

  it('runs the same schedule again with the same seed', async () => {
    const [one, other] = [await runSeed(FIXED_SEEDS[0] ?? 1), await runSeed(FIXED_SEEDS[0] ?? 1)];
    expect(other.schedule).to.deep.equal(one.schedule);
  });
});
