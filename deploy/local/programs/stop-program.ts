/** Stops, kills, pauses and resumes programs that the launcher started; no other process ever gets a signal. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { LaunchError } from '../launch-error.js';
import { type ProcessRecord, stateOf } from './process-record.js';

const END_TIMEOUT_MS = 30_000;
const KILL_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/** Asks the process to end, and kills it after the timeout. Resolves with the way in which it ended. */
export async function stopProcess(record: ProcessRecord, signal: NodeJS.Signals): Promise<'ended' | 'killed'> {
  // A paused process handles no signal.
  await resumeProcess(record);
  send(record.pid, signal);
  if (await isGoneWithin(record, END_TIMEOUT_MS)) return 'ended';
  await killProcess(record);
  return 'killed';
}

/**
 * Kills the process and its children, as when the machine loses its power. The process is paused first, so that it
 * starts no more children.
 */
export async function killProcess(record: ProcessRecord): Promise<void> {
  if (!send(record.pid, 'SIGSTOP')) return;
  const children = await childrenOf(record.pid);
  for (const pid of [record.pid, ...children]) send(pid, 'SIGKILL');
  if (!(await isGoneWithin(record, KILL_TIMEOUT_MS)))
    throw new LaunchError(`Process ${record.pid} is still alive ${KILL_TIMEOUT_MS / 1_000} s after SIGKILL`);
}

/**
 * A paused process accepts connections and never answers. Postgres has several processes, so the children are paused
 * too.
 */
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

async function isGoneWithin(record: ProcessRecord, timeoutMs: number): Promise<boolean> {
  const end = performance.now() + timeoutMs;
  while ((await stateOf(record)) !== 'gone') {
    if (performance.now() > end) return false;
    await pause(POLL_MS);
  }
  return true;
}
