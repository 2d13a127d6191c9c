/** Reads the processor time and the memory of processes from Linux. */
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
  const times = await Promise.all((await childrenOf(pid)).map(treeTime));
  return times.reduce<number>((sum, time) => sum + (time ?? 0), own);
}

/**
 * The memory of a process and its children in MB: what they share counts once. Not a number where the system does not
 * show it.
 */
export async function memoryOf(pid: number): Promise<number> {
  const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const own = Number(/^Pss:\s+(\d+) kB/mu.exec(rollup)?.[1] ?? Number.NaN) / 1_024;
  const others = await Promise.all((await childrenOf(pid)).map(memoryOf));
  return others.reduce((sum, memory) => sum + (Number.isNaN(memory) ? 0 : memory), own);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return children.split(' ').filter(Boolean).map(Number);
}
