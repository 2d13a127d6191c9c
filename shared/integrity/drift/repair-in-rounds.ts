/** Finds and repairs all differences between graph and vector index, in rounds of as many as one comparison keeps. */
import { addCounts, countKinds, type DriftCounts, totalOf } from './drift-counts.js';
import { type Difference, type Drift, type DriftPorts, findDrift } from './find-drift.js';
import { repairDrift } from './repair-drift.js';

type RepairPorts = DriftPorts & Parameters<typeof repairDrift>[0];
type RepairOptions = Omit<Parameters<typeof repairDrift>[1], 'drift'> &
  Pick<Parameters<typeof findDrift>[1], 'secondCheckMs' | 'limit'>;

export type RoundsResult = {
  /** What the first comparison found. */
  readonly drift: Drift;
  readonly repaired: DriftCounts;
  /** The number of differences after the last round. */
  readonly failed: number;
  /** The first of them. */
  readonly failedFirst: readonly Difference[];
};

/** Ends when nothing is left, when a round repairs nothing, or after `waitMs`. */
export async function repairInRounds(ports: RepairPorts, options: RepairOptions): Promise<RoundsResult> {
  const { expected, waitMs, secondCheckMs, limit, signal } = options;
  const compare = () => findDrift(ports, { ...expected, secondCheckMs, limit, signal });
  const drift = await compare();
  const deadline = performance.now() + waitMs;
  let repaired = countKinds([]);
  for (let found = drift; ; found = await compare()) {
    const round = await repairDrift(ports, { ...options, drift: found, waitMs: deadline - performance.now() });
    repaired = addCounts(repaired, countKinds(round.repaired));
    const isStuck = round.repaired.length === 0 && round.failed.length > 0;
    if (!found.isCut || isStuck || performance.now() >= deadline)
      return { drift, repaired, failed: totalOf(found.counts) - round.repaired.length, failedFirst: round.failed };
  }
}
