/** Ends, kills, pauses and resumes programs that were started here; anything else is never signalled. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LaunchError } from './launch-error.js';
import { stateOf, type ProcessRecord } from './process-record.js';

const END_PATIENCE_MS = 30_000;
const KILL_PATIENCE_MS = 30_000;
const POLL_MS = 20;

/** Asks it to end, and kills what does not. Resolves with how it went. */
export async function endProcess(record: ProcessRecord, signal: NodeJS.Signals): Promise<'ended' | 'killed'> {
  // A paused process does not listen.
  await resumeProcess(record);
  send(record.pid, signal);
  if (await isGoneWithin(record, END_PATIENCE_MS)) return 'ended';
  await killProcess(record);
  return 'killed';
}

/** With its children: as when the machine loses its power. Stopped first, so that it makes no more of them meanwhile. */
export async function killProcess(record: ProcessRecord): Promise<void> {
  if (!send(record.pid, 'SIGSTOP')) return;
  const children = await childrenOf(record.pid);
  for (const pid of [record.pid, ...children]) send(pid, 'SIGKILL');
  if (!(await isGoneWithin(record, KILL_PATIENCE_MS)))
    throw new LaunchError(`Process ${record.pid} is still there ${KILL_PATIENCE_MS / 1_000} s after SIGKILL`);
}

/** It accepts connections and never answers: Postgres is many processes, so its children are paused too. */
export async function pauseProcess({ pid }: ProcessRecord): Promise<void> {
  send(pid, 'SIGSTOP');
  for (const child of await childrenOf(pid)) send(child, 'SIGSTOP');
}

export async function resumeProcess({ pid }: ProcessRecord): Promise<void> {
  for (const child of await childrenOf(pid)) send(child, 'SIGCONT');
  send(pid, 'SIGCONT');
}

/** False when there is no such process. */
function send(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false;
    throw error;
  }
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const listed =
    process.platform === 'linux'
      ? readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')
      : promisify(execFile)('pgrep', ['-P', String(pid)]).then(({ stdout }) => stdout);
  return (await listed.catch(() => ''))
    .split(/\s+/u)
    .filter((text) => text !== '')
    .map(Number);
}

async function isGoneWithin(record: ProcessRecord, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs;
  while ((await stateOf(record)) !== 'gone') {
    if (performance.now() > end) return false;
    await pause(POLL_MS);
  }
  return true;
}
