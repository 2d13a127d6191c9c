/**
 * Counts the bytes that this process reads from files, as the kernel counts them on Linux: the pages that a database
 * without a warm cache reads, on a machine of any speed.
 */
import { readFileSync } from 'node:fs';

export const countsBytesRead = process.platform === 'linux';

export async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  const before = total();
  await work();
  return total() - before;
}

function total(): number {
  return Number(/^rchar: (\d+)$/mu.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
}
