/**
 * Records the process of each program. A recorded process is ours only if the process with its number has the recorded
 * start time: the operating system reuses numbers, and the launcher must only signal processes that it started.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Folders } from '../folders.js';

export type ProcessRecord = { readonly pid: number; readonly birth: string; readonly port: number };
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

/**
 * Parses one line of /proc/PID/stat. The name in brackets may contain brackets and spaces. Null for a zombie, which
 * counts as dead.
 */
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
