/** The folders and logs of the launcher: `cache` may be deleted at any time, `run` records running programs. */
import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

export type Folders = ReturnType<typeof foldersIn>;

export function foldersIn(root: string) {
  return {
    root,
    cache: join(root, 'cache'),
    data: (name: string) => join(root, 'data', name),
    /** Log, record and generated configuration of one program. */
    run: (name: string) => join(root, 'run', name),
    log: (name: string) => join(root, 'run', name, 'log'),
  } as const;
}

const LOG_LIMIT_BYTES = 10_000_000;

/** Opens the log for appending. */
export function openLog(log: string): number {
  mkdirSync(dirname(log), { recursive: true });
  rotateLog(log);
  return openSync(log, 'a');
}

/** Limits the size of a log: a long one is renamed, and replaces the one that was renamed before. */
export function rotateLog(log: string): void {
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT_BYTES) renameSync(log, `${log}.1`);
}

export async function lastLines(log: string, count: number): Promise<string> {
  const text = await readFile(log, 'utf8').catch(() => '');
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
