/**
 * What this machine cannot check, with the reasons. The run prints all of it in one line at its end, and CI repeats
 * that line. Test files may run in processes of their own, so the reasons are collected in a file.
 */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Context } from 'mocha';

/** Names the file. The processes of the run inherit it. */
const VARIABLE = 'PALIMPSEST_TEST_NOT_RUN';

/** Call it before the first test. */
export function openNotRun(): void {
  const file = join(mkdtempSync(join(tmpdir(), 'palimpsest-not-run-')), 'reasons');
  writeFileSync(file, '');
  process.env[VARIABLE] = file;
}

export function addNotRun(reason: string): void {
  const file = process.env[VARIABLE];
  if (file !== undefined) appendFileSync(file, `${reason}\n`);
}

/** Skips the test, or the suite if `context` is that of a hook. */
export function skipWithReason(context: Context, reason: string): never {
  addNotRun(reason);
  context.skip();
}

/** Removes the file and returns the line, or null when everything was run. */
export function closeNotRun(): string | null {
  const file = process.env[VARIABLE] ?? '';
  const reasons = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  rmSync(dirname(file), { recursive: true });
  const counts = [...new Set(reasons)].map((reason) => {
    const count = reasons.filter((other) => other === reason).length;
    return count === 1 ? reason : `${reason} (${count} times)`;
  });
  return counts.length === 0 ? null : `not run: ${counts.join('; ')}`;
}
