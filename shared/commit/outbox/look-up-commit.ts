/** After a COMMIT whose answer was lost: asks until Postgres says what became of it, or the patience is over. */
import { abortAfter } from '../../kernel/abort-after.js';
import { DependencyError } from '../../kernel/errors.js';
import type { Pace } from '../../kernel/backoff.js';
import { createLoop } from '../../kernel/loop.js';
import type { Postgres } from '../../postgres/postgres.js';
import { findCommitted, type HeldGroup } from './commit-group.js';

const PACE: Pace = { idleMinimumMs: 100, idleMaximumMs: 100, failedMinimumMs: 100, failedMaximumMs: 1_000 };

/** The positions of its events. DependencyError when nothing was committed, or, `outcomeUnknown`, when that cannot be told. */
export async function lookUpCommit(
  postgres: Postgres,
  {
    group,
    lost,
    patienceMs,
  }: {
    readonly group: HeldGroup;
    readonly lost: DependencyError;
    readonly patienceMs: number;
  },
): Promise<readonly number[]> {
  const answers: (readonly number[] | null)[] = [];
  const known = new AbortController();
  const asking = createLoop({
    pace: PACE,
    onFailure: () => undefined,
    step: async () => {
      await postgres.transaction(
        async (transaction) => {
          answers.push(await findCommitted(transaction, group));
          // How this transaction ends itself does not matter: it changes nothing.
          known.abort();
        },
        { timeoutMs: patienceMs },
      );
      return 'idle';
    },
  });
  await asking.run(abortAfter(patienceMs, known.signal));
  const [positions] = answers;
  if (positions === undefined) throw lost;
  if (positions === null) throw new DependencyError('journal', 'Nothing was stored: try again', { cause: lost });
  return positions;
}
