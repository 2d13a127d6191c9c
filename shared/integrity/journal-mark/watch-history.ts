/**
 * A process follows one history of the journal: its caches, cursors and bounds hold positions and versions of it. When
 * `rebuild history` began another one, the process stops, and its supervisor starts it again without them.
 */
import { createLoop } from '../../kernel/concurrency/loop.js';
import type { Resources } from '../../kernel/concurrency/resources.js';
import type { JournalIdentity } from '../../ports/journal-identity.js';

const CHECK_MS = 1_000;

export type WatchedHistory = {
  /** The identity of the journal when it was read first; null until then. */
  readonly id: () => string | null;
  /** Resolves when the first read has ended, also without an answer of the journal. */
  readonly firstRead: Promise<void>;
  /** Resolves with a reason to stop. */
  readonly changed: Promise<string>;
};

/** The check ends with `resources`. */
export function watchHistory({
  identity,
  resources,
  checkMs = CHECK_MS,
}: {
  readonly identity: Pick<JournalIdentity, 'id'>;
  readonly resources: Resources;
  readonly checkMs?: number;
}): WatchedHistory {
  const closing = new AbortController();
  let first: string | null = null;
  let readOnce = (): void => undefined;
  const firstRead = new Promise<void>((resolve) => {
    readOnce = resolve;
  });
  const changed = new Promise<string>((resolve) => {
    const loop = createLoop({
      pace: { idleMinimumMs: checkMs, idleMaximumMs: checkMs, failedMinimumMs: checkMs, failedMaximumMs: checkMs },
      // A journal that does not answer is reported by those who need it.
      onFailure: () => undefined,
      step: async () => {
        const id = await identity.id().finally(readOnce);
        first ??= id;
        if (id !== first) resolve('the journal began another history: start this process again');
        return 'idle';
      },
    });
    resources.add({ running: loop.run(closing.signal) }, ({ running }) => {
      closing.abort();
      return running;
    });
  });
  return { id: () => first, firstRead, changed };
}
