/**
 * Which process a program runs as. A process is ours only while a process with the recorded number was born when ours was: numbers are
 * given again, and nothing but what was started here is ever signalled.
 */
import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Folders } from './folders.js';

export type ProcessRecord = { readonly pid: number; readonly birth: string; readonly port: number };
export type ProcessState = 'running' | 'paused' | 'gone';

export interface ProcessRecords {
  /** What was started last under this name, whether or not it still lives. */
  read(name: string): Promise<ProcessRecord | null>;
  /** The same, null once it is gone. */
  living(name: string): Promise<ProcessRecord | null>;
  /** Null when the process is gone already. */
  write(name: string, process: { readonly pid: number; readonly port: number }): Promise<ProcessRecord | null>;
  remove(name: string): Promise<void>;
}

export function createProcessRecords({ run }: Folders): ProcessRecords {
  const fileOf = (name: string): string => join(run(name), 'process.json');
  const read = async (name: string): Promise<ProcessRecord | null> => parseRecord(await textOf(fileOf(name)));
  return {
    read,
    async living(name) {
      const record = await read(name);
      return record !== null && (await stateOf(record)) !== 'gone' ? record : null;
    },
    async write(name, { pid, port }) {
      const birth = (await lookAt(pid))?.birth;
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
  const seen = await lookAt(pid);
  if (seen === null || seen.birth !== birth) return 'gone';
  return seen.isPaused ? 'paused' : 'running';
}

/** Null for anything but a record: what cannot be read was never ours to signal. */
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

export type Sighting = { readonly birth: string; readonly isPaused: boolean };

async function lookAt(pid: number): Promise<Sighting | null> {
  if (process.platform === 'linux') return parseStat(await textOf(`/proc/${pid}/stat`));
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=,lstart=', '-p', String(pid)]).catch(() => ({
    stdout: '',
  }));
  return parsePs(stdout);
}

/** One line of /proc/PID/stat. The name in brackets may hold anything, brackets and blanks too. A zombie is dead. */
export function parseStat(line: string): Sighting | null {
  const [state, ...fields] = line
    .slice(line.lastIndexOf(')') + 1)
    .trim()
    .split(' ');
  const birth = fields[18];
  return birth === undefined || state === undefined || isDead(state) ? null : { birth, isPaused: isPaused(state) };
}

/** One line of `ps -o stat=,lstart=`, where there is no /proc. */
export function parsePs(line: string): Sighting | null {
  const [state, ...birth] = line.trim().split(/\s+/u);
  return birth.length === 0 || state === undefined || isDead(state)
    ? null
    : { birth: birth.join(' '), isPaused: isPaused(state) };
}

function isDead(state: string): boolean {
  return /^[ZX]/u.test(state);
}

function isPaused(state: string): boolean {
  return /^[Tt]/u.test(state);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    // ESRCH: a process that ended while its file was being read.
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH')) return '';
    throw error;
  }
}
