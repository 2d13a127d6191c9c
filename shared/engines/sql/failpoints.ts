/** Runs a failpoint of a commit and turns the failure that a test injects into the error of an interrupted commit. */
import { DependencyError } from '../../kernel/errors.js';
import type { CommitStep, Failpoints } from '../../ports/committer.js';

/** Both run before the commit point, so a failure there commits nothing. */
const BEFORE_COMMIT_POINT: ReadonlySet<CommitStep> = new Set(['before_commit', 'inside_commit']);

/**
 * Throws DependencyError when the failpoint throws: `outcomeUnknown` after the commit point. Without failpoints it does
 * nothing.
 */
export async function hitFailpoint(
  failpoints: Failpoints | undefined,
  step: CommitStep,
  commandIds: readonly string[],
): Promise<void> {
  try {
    await failpoints?.hit(step, commandIds);
  } catch (cause) {
    throw new DependencyError('journal', 'The change was interrupted: try again', {
      cause,
      outcomeUnknown: !BEFORE_COMMIT_POINT.has(step),
    });
  }
}
