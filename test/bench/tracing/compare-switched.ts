/** Measures what a switch costs a call, in rounds of one run: off, on, on, off, or the reverse. */
import type { Random } from '../../support/fixtures/random.js';
import { summarize } from '../measuring/timing.js';

/**
 * Drawn for each round. With one order the garbage collection, which comes after every few calls, would fall on the
 * same position.
 */
const ORDERS = [
  ['off', 'on', 'on', 'off'],
  ['on', 'off', 'off', 'on'],
] as const;
/** No block follows another with the same numbers: it would find its data in the caches of the processor. */
const BLOCK_DISTANCE = 10;

export type Position = 'off' | 'on';

/** Medians in milliseconds. */
export type Comparison = {
  readonly what: string;
  /** As the client sees a call. */
  readonly time: Readonly<Record<Position, number>>;
  /** Processor time of the whole process during a call. Other work on the machine changes it less. */
  readonly processor: Readonly<Record<Position, number>>;
};

type Switched = {
  readonly what: string;
  /** Calls in each position. */
  readonly calls: number;
  readonly callsPerBlock: number;
  /** Calls at the start of each block that do not count. */
  readonly warmUpCalls: number;
  readonly turn: (position: Position) => void;
  readonly work: (index: number) => Promise<unknown>;
};

export async function compareSwitched(
  { what, calls, callsPerBlock, warmUpCalls, turn, work }: Switched,
  random: Random,
): Promise<Comparison> {
  const time: Record<Position, number[]> = { off: [], on: [] };
  const processor: Record<Position, number[]> = { off: [], on: [] };
  for (let round = 0; time.on.length < calls; round += 1) {
    for (const [block, position] of random.pick(ORDERS).entries()) {
      const first = round + block * BLOCK_DISTANCE;
      turn(position);
      for (let index = 0; index < warmUpCalls; index += 1) await work(first + index);
      for (let index = 0; index < callsPerBlock; index += 1) {
        const begin = performance.now();
        const before = process.cpuUsage();
        await work(first + index);
        const { user, system } = process.cpuUsage(before);
        time[position].push(performance.now() - begin);
        processor[position].push((user + system) / 1_000);
      }
    }
  }
  turn('off');
  const medians = ({ off, on }: typeof time) => ({ off: summarize(off).p50, on: summarize(on).p50 });
  return { what, time: medians(time), processor: medians(processor) };
}
