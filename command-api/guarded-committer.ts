/** A committer that first asks whether commands are accepted at all. */
import type { Committer } from '../shared/ports/committer.js';

/** `requireAccepted` throws the error of a refused command; nothing was changed then. */
export function createGuardedCommitter(committer: Committer, requireAccepted: () => void | Promise<void>): Committer {
  return {
    ...committer,
    commit: async (commands) => {
      await requireAccepted();
      return committer.commit(commands);
    },
    earlier: async (request) => {
      await requireAccepted();
      return committer.earlier(request);
    },
  };
}
