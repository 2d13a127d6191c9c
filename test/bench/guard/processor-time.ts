/** The processor time of another process, all threads together. */
import { readFile } from 'node:fs/promises';

/** The kernel counts in ticks of this length on every Linux. */
const TICK_MS = 10;

/** Milliseconds since the process started; null where the system does not show it. */
export async function processorTime(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name of the process, in brackets, may contain blanks. After it: state, then further fields; user and system time are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
