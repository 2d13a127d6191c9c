/** How one program is doing: what was recorded of it, what the system says of that process, and whether it answers. */
import { stateOf, type ProcessRecords } from './process-record.js';
import type { Program } from './program.js';

export type ProgramStatus = {
  readonly name: string;
  readonly port: number;
  readonly pid: number | null;
  readonly state: 'healthy' | 'unhealthy' | 'paused' | 'stopped';
};

export async function statusOf({ name, port, isHealthy }: Program, records: ProcessRecords): Promise<ProgramStatus> {
  const record = await records.read(name);
  const state = record === null ? 'gone' : await stateOf(record);
  if (record === null || state === 'gone') return { name, port, pid: null, state: 'stopped' };
  const seen = { name, port: record.port, pid: record.pid };
  if (state === 'paused') return { ...seen, state };
  return { ...seen, state: (await isHealthy(record.port)) ? 'healthy' : 'unhealthy' };
}
