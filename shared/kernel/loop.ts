/**
 * The one loop: repeats a bounded step, waits in between as `backoff.ts` says, and can be woken. A wake-up shortens a wait and is
 * never relied on.
 */
import { DEFAULT_PACE, delayMs, failedOutcome, type Pace, type StepOutcome } from './backoff.js';

export interface Loop {
  /** Repeats the step until the signal is aborted; resolves when the running step has ended. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
  /** Steps until there is nothing left; rejects with the first failure. Not while `run` is under way. */
  drain(signal: AbortSignal): Promise<void>;
  /** The next wait, or the one under way, ends now. A wait after a failure does not: news does not mend what failed. */
  wake(): void;
}

export type LoopOptions = {
  /** One bounded step; answers how much it did. `full` says that more is probably there. */
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
      const isFirm = outcome.kind === 'failed';
      if (isFirm) onFailure(error, waitMs);
      if (waitMs > 0 && (isFirm || !isWoken) && !signal.aborted) await wait(waitMs, signal, isFirm);
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

  function wait(milliseconds: number, signal: AbortSignal, isFirm: boolean): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        endWait = null;
        resolve();
      };
      const timer = setTimeout(end, milliseconds);
      signal.addEventListener('abort', end);
      if (!isFirm) endWait = end;
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
