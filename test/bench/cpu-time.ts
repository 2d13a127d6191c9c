/** The processor time that a process has used with all its threads, from Linux's /proc. */
import { readFile } from 'node:fs/promises';

/** The kernel tells it in hundredths of a second on every architecture that Node runs on. */
const TICK_MS = 10;

/** Milliseconds; null where the system does not tell. */
export async function cpuTimeMs(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  if (text === null) return null;
  // the second field is a name that may hold blanks, and ends with the last bracket; user and system time are fields 14 and 15
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
