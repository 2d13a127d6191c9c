/** Reads the processor time of processes from Linux. */
import { readFile } from 'node:fs/promises';

/** The kernel counts processor time in ticks of this length on every Linux. */
const TICK_MS = 10;

/** Milliseconds since the process started, all threads together; null where the system does not show it. */
export async function processorTime(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (stat === null) return null;
  // The name of the process, in brackets, may contain blanks. After it: state, then further fields; user and system
  // time are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** As `processorTime`, with the children of the process that run: Postgres has one for each connection. */
export async function treeTime(pid: number): Promise<number | null> {
  const own = await processorTime(pid);
  if (own === null) return null;
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const times = await Promise.all(
    children
      .split(' ')
      .filter(Boolean)
      .map((child) => treeTime(Number(child))),
  );
  return times.reduce<number>((sum, time) => sum + (time ?? 0), own);
}
