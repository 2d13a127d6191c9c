/**
 * The one loop of the project: repeats a bounded step and waits between steps as `backoff.ts` says. A wake-up only
 * shortens a wait: the loop works without it too.
 */
import { DEFAULT_PACE, delayMs, failedOutcome, type Pace, type StepOutcome } from './backoff.js';

export interface Loop {
  /** Repeats the step until the signal is aborted; resolves when the running step has ended. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Repeats the step until it is idle; rejects with the first failure. Must not be called during `run`. */
  drain(signal: AbortSignal): Promise<void>;
  /**
   * Ends the current wait, or skips the next one. Does not end a wait after a failure, because new work does not repair
   * the failure.
   */
  wake(): void;
}

export type LoopOptions = {
  /** One bounded step; returns how much it did. `full` means that more work is probably waiting. */
  readonly step: (signal: AbortSignal) => Promise<'full' | 'partial' | 'idle'>;
  readonly onFailure: (error: unknown, waitMs: number) => void;
  readonly pace?: Pace;
  readonly random?: () => number;
};

export function createLoop({ step, onFailure, pace = DEFAULT_PACE, random = Math.random }: LoopOptions): Loop {
  let isWoken = false;
  let endWait: (() => void) | null = null;

  async function run(signal: AbortSignal): Promise<void> {
    let kind: StepOutcome['kind'] = 'full';
    let repeats = 0;
    while (!signal.aborted) {
      const [outcome, error] = await attempt(signal);
      repeats = outcome.kind === kind ? repeats + 1 : 1;
      kind = outcome.kind;
      const waitMs = delayMs(pace, outcome, { repeats, random: random() });
      const isBackoff = outcome.kind === 'failed';
      if (isBackoff) onFailure(error, waitMs);
      if (waitMs > 0 && (isBackoff || !isWoken) && !signal.aborted) await wait(waitMs, signal, isBackoff);
      isWoken = false;
    }
  }

  async function attempt(signal: AbortSignal): Promise<readonly [StepOutcome, unknown]> {
    try {
      return [{ kind: await step(signal) }, null];
    } catch (error) {
      return [failedOutcome(error), error];
    }
  }

  function wait(milliseconds: number, signal: AbortSignal, isBackoff: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        endWait = null;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      if (!isBackoff) endWait = end;
    });
  }

  return {
    run,
    drain: async (signal) => {
      while (!signal.aborted && (await step(signal)) !== 'idle');
    },
    wake: () => {
      isWoken = true;
      endWait?.();
    },
  };
}
