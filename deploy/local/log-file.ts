/** The log of one program: opens it for appending, limits its size, and reads its last lines. */
import { mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

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
