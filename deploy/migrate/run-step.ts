/** One step of a migration, tried again while its server is still starting: compose files and launchers start everything at once. */
import { PalimpsestError } from '../../shared/kernel/errors.js';
import { createLoop } from '../../shared/kernel/loop.js';
import type { Step } from './steps.js';

export type Patience = {
  /** From now on; the failure after which it is used up is thrown. */
  readonly waitMs: number;
  readonly onWait: (error: Error, nextMs: number) => void;
};

export async function runStep({ run }: Step, { waitMs, onWait }: Patience): Promise<string> {
  const end = performance.now() + waitMs;
  const ended = new AbortController();
  let outcome: { readonly did: string } | { readonly failure: unknown } | undefined;
  const loop = createLoop({
    step: async () => {
      outcome = { did: await run() };
      ended.abort();
      return 'idle';
    },
    onFailure: (error, nextMs) => {
      if (error instanceof PalimpsestError && error.isRetryable && performance.now() + nextMs <= end) return onWait(error, nextMs);
      outcome = { failure: error };
      ended.abort();
    },
  });
  await loop.run(ended.signal);
  if (outcome === undefined) throw new Error('a loop ended before its step did');
  if ('failure' in outcome) throw outcome.failure;
  return outcome.did;
}
