/** Polls a condition until it is true: after 10 ms first, then at most ten times a second. */
import { withAnySignal } from '../../kernel/concurrency/abort-signals.js';
import { createLoop } from '../../kernel/concurrency/loop.js';

const PACE = { idleMinimumMs: 10, idleMaximumMs: 100, failedMinimumMs: 100, failedMaximumMs: 1_000 };

/** Rejects with the signal's reason when the signal is aborted first. A condition that throws is evaluated again. */
export async function waitUntil(
  condition: () => Promise<boolean>,
  {
    signal,
    onFailure,
  }: {
    readonly signal: AbortSignal;
    readonly onFailure: (error: unknown, waitMs: number) => void;
  },
): Promise<void> {
  const done = new AbortController();
  const step = async (): Promise<'idle'> => {
    if (await condition()) done.abort();
    return 'idle';
  };
  await withAnySignal([signal, done.signal], createLoop({ step, onFailure, pace: PACE }).run);
  if (!done.signal.aborted) throw signal.reason;
}
