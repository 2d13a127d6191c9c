/**
 * Records the process of each program. A recorded process is ours only if the process with its number has the recorded
 * start time: the operating system reuses numbers, and the launcher must only signal processes that it started.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Folders } from '../folders.js';
import { LaunchError, type ProcessRecord } from './program.js';

export type ProcessState = 'running' | 'paused' | 'gone';

export interface ProcessRecords {
  /** The process that was started last under this name, running or not. */
  read(name: string): Promise<ProcessRecord | null>;
  /** The same; null once the process is gone. */
  findRunning(name: string): Promise<ProcessRecord | null>;
  /** Null when the process has already ended. */
  write(name: string, process: { readonly pid: number; readonly port: number }): Promise<ProcessRecord | null>;
  remove(name: string): Promise<void>;
}

export function createProcessRecords({ run }: Folders): ProcessRecords {
  const fileOf = (name: string): string => join(run(name), 'process.json');
  const read = async (name: string): Promise<ProcessRecord | null> => parseRecord(await textOf(fileOf(name)));
  return {
    read,
    async findRunning(name) {
      const record = await read(name);
      return record !== null && (await stateOf(record)) !== 'gone' ? record : null;
    },
    async write(name, { pid, port }) {
      const birth = (await inspect(pid))?.birth;
      if (birth === undefined) return null;
      const record = { pid, birth, port };
      await mkdir(dirname(fileOf(name)), { recursive: true });
      await writeFile(`${fileOf(name)}.new`, JSON.stringify(record));
      await rename(`${fileOf(name)}.new`, fileOf(name));
      return record;
    },
    remove: (name) => rm(fileOf(name), { force: true }),
  };
}

export async function stateOf({ pid, birth }: ProcessRecord): Promise<ProcessState> {
  const seen = await inspect(pid);
  if (seen === null || seen.birth !== birth) return 'gone';
  return seen.isPaused ? 'paused' : 'running';
}

/** Null for a text that is not a record, so that no process is signalled because of it. */
export function parseRecord(text: string): ProcessRecord | null {
  try {
    const { pid, birth, port } = JSON.parse(text) as Partial<Record<keyof ProcessRecord, unknown>>;
    return Number.isInteger(pid) && Number(pid) > 1 && typeof birth === 'string' && Number.isInteger(port)
      ? { pid: Number(pid), birth, port: Number(port) }
      : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return null;
    throw error;
  }
}

export type ProcessSnapshot = { readonly birth: string; readonly isPaused: boolean };

async function inspect(pid: number): Promise<ProcessSnapshot | null> {
  if (process.platform === 'linux') return parseStat(await textOf(`/proc/${pid}/stat`));
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return parsePs(stdout);
}

/** One line of /proc/PID/stat; the name may hold brackets and spaces. Null for a zombie. */
export function parseStat(line: string): ProcessSnapshot | null {
  const [state, ...fields] = line
    .slice(line.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  const birth = fields[18];
  return birth === undefined || state === undefined || isDead(state) ? null : { birth, isPaused: isPaused(state) };
}

/** Parses one line of `ps -o stat=,lstart=`, for systems without /proc. */
export function parsePs(line: string): ProcessSnapshot | null {
  const [state, ...birth] = line.trim().split(/\s+/u);
  return birth.length === 0 || state === undefined || isDead(state)
    ? null
    : { birth: birth.join(' '), isPaused: isPaused(state) };
}

function isDead(state: string): boolean {
  return /^[ZX]/u.test(state);
}

function isPaused(state: string): boolean {
  return /^T/iu.test(state);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // ESRCH: the process ended while its file was read.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
    throw error;
  }
}

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

/** Kills the process and its children. It is paused first, so that it starts no more children. */
export async function killProcess(record: ProcessRecord): Promise<void> {
  if (!send(record.pid, 'SIGSTOP')) return;
  const children = await childrenOf(record.pid);
  for (const pid of [record.pid, ...children]) send(pid, 'SIGKILL');
  if (!(await isGoneWithin(record, KILL_TIMEOUT_MS)))
    throw new LaunchError(`Process ${record.pid} is still alive ${KILL_TIMEOUT_MS / 1_000} s after SIGKILL`);
}

/** A paused process accepts connections and never answers. Postgres has several processes. */
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
