/** Measures what a switch costs a call, in blocks of one run: off, on, on, off, or the reverse. */
import type { Random } from '../../support/fixtures/random.js';
import { summarize } from '../measuring/timing.js';

/** Drawn for each round. With one order the garbage collection, which comes after every few calls, would fall on the same position. */
const ORDERS = [
  ['off', 'on', 'on', 'off'],
  ['on', 'off', 'off', 'on'],
] as const;
const BLOCKS = 4;
/** No block follows another with the same numbers: it would find its data in the caches of the processor. */
const BLOCK_DISTANCE = 10;
export const NUMBERS = BLOCKS * BLOCK_DISTANCE;
const RESAMPLES = 300;

export type Position = 'off' | 'on';

export type Ratio = {
  /** Medians in ms. */
  readonly off: number;
  readonly on: number;
  /** `on / off`. */
  readonly ratio: number;
  /** Where the ratio of 95 % of such runs lies. */
  readonly from: number;
  readonly to: number;
};

export type Comparison = {
  readonly what: string;
  /** Calls in each position. */
  readonly calls: number;
  /** The time of a call as its client sees it. */
  readonly time: Ratio;
  /** The processor time of the whole process during a call. Other work on the machine changes it less. */
  readonly processor: Ratio;
};

type Call = { readonly time: number; readonly processor: number };

export type Blocks = {
  readonly rounds: number;
  readonly callsPerBlock: number;
  /** Calls at the start of each block that do not count. */
  readonly warmUpCalls: number;
};

/** The calls have numbers; over `NUMBERS` rounds each number comes equally often, modulo `NUMBERS`. */
export async function compareSwitched({
  what,
  blocks: { rounds, callsPerBlock, warmUpCalls },
  turn,
  work,
  random,
}: {
  readonly what: string;
  readonly blocks: Blocks;
  readonly turn: (position: Position) => void;
  readonly work: (index: number) => Promise<unknown>;
  readonly random: Random;
}): Promise<Comparison> {
  const calls: Record<Position, Call[]> = { off: [], on: [] };
  for (let round = 0; round < rounds; round += 1) {
    for (const [block, position] of (ORDERS[random.below(ORDERS.length)] ?? []).entries()) {
      const first = round + block * BLOCK_DISTANCE;
      turn(position);
      for (let index = 0; index < warmUpCalls; index += 1) await work(first + index);
      for (let index = 0; index < callsPerBlock; index += 1)
        calls[position].push(await measure(() => work(first + index)));
    }
  }
  turn('off');
  const ratioOf = (part: keyof Call): Ratio =>
    compare(
      calls.off.map((call) => call[part]),
      calls.on.map((call) => call[part]),
      random,
    );
  return { what, calls: calls.on.length, time: ratioOf('time'), processor: ratioOf('processor') };
}

async function measure(work: () => Promise<unknown>): Promise<Call> {
  const begin = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { time: performance.now() - begin, processor: (user + system) / 1_000 };
}

/** The interval is a bootstrap: the ratio of many samples that are drawn from the calls. */
function compare(off: readonly number[], on: readonly number[], random: Random): Ratio {
  const drawn = Array.from({ length: RESAMPLES }, () => medianOf(draw(on, random)) / medianOf(draw(off, random)));
  const { from, to } = middleOf(drawn);
  return { off: medianOf(off), on: medianOf(on), ratio: medianOf(on) / medianOf(off), from, to };
}

function draw(values: readonly number[], random: Random): readonly number[] {
  return values.map(() => values[random.below(values.length)] ?? Number.NaN);
}

function middleOf(values: readonly number[]): { readonly from: number; readonly to: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { from: at(0.025), to: at(0.975) };
}

function medianOf(values: readonly number[]): number {
  return summarize(values, 1).p50;
}
