/**
 * Checks that the cost of reading a text grows with its length, not with its square. Compares the processor time of two
 * lengths, so that a slow or busy machine does not fail the test.
 */
import { expect } from 'chai';

const RUNS = 5;
/** Four times the text costs 4 times as much when the cost is linear, and 16 times when it is quadratic. */
const MOST_GROWTH = 10;
/** Noise of the garbage collector and the compiler, for texts that cost next to nothing. */
const NOISE_MS = 20;

/**
 * `read` gets a text of `length` characters and one of four times that length, made of `piece` between two other
 * characters.
 */
export async function expectLinear(
  piece: string,
  read: (text: string) => unknown,
  { length = 5_000 }: { readonly length?: number } = {},
): Promise<void> {
  const short = await fastest(read, `x${piece.repeat(length / piece.length)}x`);
  const long = await fastest(read, `x${piece.repeat((4 * length) / piece.length)}x`);
  expect(long, `${short} ms at ${length} characters`).to.be.at.most(MOST_GROWTH * short + NOISE_MS);
}

async function fastest(read: (text: string) => unknown, text: string): Promise<number> {
  let best = Infinity;
  for (let run = 0; run < RUNS; run += 1) {
    const before = process.cpuUsage();
    await read(`${text}${run}`); // a cache knows no text of an earlier run
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, (user + system) / 1_000);
    // A quadratic reading of 20,000 characters takes more than a second and needs no second run.
    if (best > 1_000) break;
  }
  return best;
}
