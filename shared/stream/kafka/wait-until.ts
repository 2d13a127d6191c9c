/** Waits for something that only asking can tell: at first soon, then at most ten times a second. */
import { createLoop } from '../../kernel/loop.js';

const PACE = { idleMinimumMs: 10, idleMaximumMs: 100, failedMinimumMs: 100, failedMaximumMs: 1_000 };

/** Rejects with the signal's reason when it is aborted before. A question that fails is asked again. */
export async function waitUntil(
  isSo: () => Promise<boolean>,
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
    if (await isSo()) done.abort();
    return 'idle';
  };
  await createLoop({ step, onFailure, pace: PACE }).run(AbortSignal.any([signal, done.signal]));
  if (!done.signal.aborted) throw signal.reason;
}
