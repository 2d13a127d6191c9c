/** A committer that commits many commands in small steps while the callers of other tenants are active. */
import type { GiveWay } from '../shared/kernel/concurrency/give-way.js';
import { DependencyError } from '../shared/kernel/errors.js';
import type { Committer, Outcome } from '../shared/ports/committer.js';

/** Commands of one step: about 8 ms of the writer. One command, for example a batch of memories, is never divided. */
export const STEP_COMMANDS = 25;
/**
 * A call with as many or fewer commands never waits and is not divided. Between the steps of a larger one the enricher
 * may count the memories that show a pattern, so that count can depend on the callers of other tenants.
 */
export const WHOLE_COMMANDS = 50;

/** The caller cannot know which steps were committed before the one that failed. */
function fail(error: unknown, isAnyCommitted: boolean): never {
  if (!isAnyCommitted || !(error instanceof DependencyError)) throw error;
  const { dependency, message, retryAfterSeconds } = error;
  throw new DependencyError(dependency, message, { cause: error, outcomeUnknown: true, retryAfterSeconds });
}

export function createStepwiseCommitter(committer: Committer, giveWay: GiveWay): Committer {
  return {
    ...committer,
    commit: async (commands) => {
      const outcomes: Outcome[] = [];
      for (let start = 0; start < commands.length; start = outcomes.length) {
        const isLong = commands.length > WHOLE_COMMANDS && giveWay.isNeeded();
        if (isLong) await giveWay.turn();
        const step = isLong ? commands.slice(start, start + STEP_COMMANDS) : commands.slice(start);
        outcomes.push(...(await committer.commit(step).catch((error: unknown) => fail(error, outcomes.length > 0))));
      }
      return outcomes;
    },
  };
}
