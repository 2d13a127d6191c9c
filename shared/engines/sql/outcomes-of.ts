/**
 * Combines the results of the commands of one `commit` call into its outcomes, or into the error that it rejects with.
 */
import { DependencyError } from '../../kernel/errors.js';
import type { Outcome } from '../../ports/committer.js';

/** A command that failed in the database while the other commands of its group were committed. */
export type Failed = { readonly kind: 'failed'; readonly error: Error };

/**
 * A caller reads a rejection as "nothing was committed", so when some commands were committed the error has an unknown
 * outcome.
 */
export function outcomesOf(results: readonly PromiseSettledResult<Outcome | Failed>[]): readonly Outcome[] {
  const outcomes: Outcome[] = [];
  const failures: unknown[] = [];
  for (const result of results) {
    if (result.status === 'rejected') failures.push(result.reason);
    else if (result.value.kind === 'failed') failures.push(result.value.error);
    else outcomes.push(result.value);
  }
  if (failures.length === 0) return outcomes;
  const unknown = failures.find((failure) => failure instanceof DependencyError && failure.outcomeUnknown);
  if (unknown === undefined && outcomes.some(({ kind }) => kind === 'committed')) {
    throw new DependencyError(
      'journal',
      'Some of these changes were saved and others were not: read them again before you repeat any',
      {
        cause: failures[0],
        outcomeUnknown: true,
      },
    );
  }
  throw unknown ?? failures[0];
}
