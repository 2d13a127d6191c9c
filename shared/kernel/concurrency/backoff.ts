/**
 * Computes how long a loop waits after a step. A pure function: every loop waits in the same way, and tests need no
 * real time.
 */

/** The outcome of one step. `failed` may hold the wait that the error itself asked for. */
export type StepOutcome =
  | { readonly kind: 'full' }
  | { readonly kind: 'partial' }
  | { readonly kind: 'idle' }
  | { readonly kind: 'failed'; readonly retryAfterSeconds: number | null };

export type Pace = {
  readonly idleMinimumMs: number;
  readonly idleMaximumMs: number;
  readonly failedMinimumMs: number;
  readonly failedMaximumMs: number;
};

export const DEFAULT_PACE: Pace = {
  idleMinimumMs: 50,
  idleMaximumMs: 1_000,
  failedMinimumMs: 200,
  failedMaximumMs: 30_000,
};

/**
 * `repeats`: how many outcomes of this kind followed each other, including this one. `random` in [0, 1) spreads retries
 * over time.
 */
export function delayMs(
  pace: Pace,
  outcome: StepOutcome,
  { repeats, random }: { readonly repeats: number; readonly random: number },
): number {
  switch (outcome.kind) {
    case 'full':
      return 0;
    case 'partial':
      return pace.idleMinimumMs;
    case 'idle':
      return doubled(pace.idleMinimumMs, pace.idleMaximumMs, repeats);
    case 'failed': {
      if (outcome.retryAfterSeconds !== null) return outcome.retryAfterSeconds * 1_000;
      const ceiling = doubled(pace.failedMinimumMs, pace.failedMaximumMs, repeats);
      return Math.round(ceiling * (0.5 + random / 2));
    }
    default:
      return outcome satisfies never;
  }
}

/** The outcome of a step that threw `error`. */
export function failedOutcome(error: unknown): StepOutcome {
  const seconds = error instanceof Error && 'retryAfterSeconds' in error ? error.retryAfterSeconds : null;
  return { kind: 'failed', retryAfterSeconds: typeof seconds === 'number' && seconds > 0 ? seconds : null };
}

function doubled(minimum: number, maximum: number, repeats: number): number {
  return Math.min(maximum, minimum * 2 ** (repeats - 1));
}
