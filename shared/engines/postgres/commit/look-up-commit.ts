/** Finds out the result of a COMMIT whose answer was lost: asks Postgres until it knows or the timeout ends. */
import { withTimeoutSignal } from '../../../kernel/concurrency/abort-signals.js';
import type { Pace } from '../../../kernel/concurrency/backoff.js';
import { createLoop } from '../../../kernel/concurrency/loop.js';
import { DependencyError } from '../../../kernel/errors.js';
import type { Postgres } from '../connection/postgres.js';
import { findCommitted, type LockedGroup } from './commit-group.js';

const PACE: Pace = { idleMinimumMs: 100, idleMaximumMs: 100, failedMinimumMs: 100, failedMaximumMs: 1_000 };

/** Returns the positions of the events. DependencyError when nothing was committed, or `lost` when the result stays unknown. */
export async function lookUpCommit(
  postgres: Postgres,
  {
    group,
    lost,
    timeoutMs,
  }: {
    readonly group: LockedGroup;
    /** The error of the COMMIT, with `outcomeUnknown`. */
    readonly lost: DependencyError;
    readonly timeoutMs: number;
  },
): Promise<readonly number[]> {
  const answers: (readonly number[] | null)[] = [];
  const known = new AbortController();
  const polling = createLoop({
    pace: PACE,
    onFailure: () => undefined,
    step: async () => {
      await postgres.transaction(
        async (transaction) => {
          answers.push(await findCommitted(transaction, group));
          // The end of this transaction does not matter: it changes nothing.
          known.abort();
        },
        { timeoutMs },
      );
      return 'idle';
    },
  });
  await withTimeoutSignal(timeoutMs, [known.signal], polling.run);
  const [positions] = answers;
  if (positions === undefined) throw lost;
  if (positions === null) throw new DependencyError('journal', 'Nothing was stored: try again', { cause: lost });
  return positions;
}
