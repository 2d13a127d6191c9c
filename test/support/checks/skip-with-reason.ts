/** Skips a check that this machine cannot run, with one line that names the check and the reason. CI repeats the line at its end. */
import type { Context } from 'mocha';

/** `context`: of a test, or of the hook of a suite, which is then skipped as a whole. */
export function skipWithReason(context: Context, reason: string): never {
  const { test } = context;
  const check = test !== undefined && 'type' in test && test.type === 'hook' ? test.parent : test;
  process.stdout.write(`        not run: ${check?.fullTitle()}: ${reason}\n`);
  context.skip();
}
