/**
 * The distributed composition in one process, with simulated engines, virtual time and faults that follow from a seed.
 * A failure prints its schedule; `npm run simulate -- --seed N` replays it.
 */
import { expect } from 'chai';
import { runSeed, type SeedResult } from './run-seed.js';
import { scheduleTable } from './schedule-table.js';

/** The schedules of a seed change with the code, so each version of it meets as many new ones. */
const FIXED_SEEDS = Array.from(
  { length: Number(process.env['PALIMPSEST_SIMULATION_SEEDS'] ?? 4) },
  (_, index) => index + 1,
);
/** Random seeds follow until this many seconds have passed since the first seed; at least one. */
const SECONDS = Number(process.env['PALIMPSEST_SIMULATION_SECONDS'] ?? 0);
const TIMEOUT_MS = 600_000;

function expectNoViolation(result: SeedResult): void {
  expect(result.violations, scheduleTable(result)).to.deep.equal([]);
}

describe('simulation of the distributed composition', function () {
  this.timeout(TIMEOUT_MS);
  let startedAt = 0;
  before(() => (startedAt = performance.now()));

  for (const seed of FIXED_SEEDS)
    it(`keeps every invariant with seed ${seed}`, async () => {
      expectNoViolation(await runSeed(seed));
    });

  it('keeps every invariant with random seeds', async () => {
    const first = Math.floor(Math.random() * 1e9);
    let seed = first;
    do {
      expectNoViolation(await runSeed(seed));
      seed += 1;
    } while (performance.now() - startedAt < SECONDS * 1_000);
    process.stdout.write(`      seeds ${first} to ${seed - 1}\n`);
  });

  it('runs the same schedule again with the same seed', async () => {
    const [one, other] = [await runSeed(FIXED_SEEDS[0] ?? 1), await runSeed(FIXED_SEEDS[0] ?? 1)];
    expect(other.schedule).to.deep.equal(one.schedule);
  });
});
