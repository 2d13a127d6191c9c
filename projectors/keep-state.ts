/** Keeps what a projector tells of itself where status routes read it: soon after there is something new, and as a sign of life every so often. */
import type { ProjectorState, ProjectorStates } from '../shared/journal/journal.js';
import type { Logger } from '../shared/kernel/logger.js';
import { createLoop } from '../shared/kernel/loop.js';

/** Progress is saved this soon after a batch, so that health tells work in flight from work that is done; once for many batches. */
const PROGRESS_SAVE_MS = 200;
/** A position may move on without a batch: what came next was somebody else's. */
const PROGRESS_LOOK_MS = 500;

export type StateKeeper = {
  /** There is something new. */
  readonly soon: () => void;
  /** Saves no more by itself. */
  readonly stop: () => Promise<void>;
};

export function keepState({
  status,
  states,
  signOfLifeMs,
  logger,
}: {
  readonly status: () => ProjectorState;
  readonly states: Pick<ProjectorStates, 'save'>;
  readonly signOfLifeMs: number;
  readonly logger: Logger;
}): StateKeeper {
  const stopping = new AbortController();
  const lookMs = Math.min(PROGRESS_LOOK_MS, signOfLifeMs);
  let timer: NodeJS.Timeout | undefined;
  let saved = { position: -1, handled: -1, paused: false, detail: '', at: -Infinity };

  const loop = createLoop({
    step: async () => {
      const state = status();
      const at = performance.now();
      const detail = JSON.stringify(state.detail ?? null);
      const isNews =
        state.position !== saved.position ||
        state.handled !== saved.handled ||
        state.paused !== saved.paused ||
        detail !== saved.detail;
      if (!isNews && at - saved.at < signOfLifeMs) return 'idle';
      await states.save(state);
      saved = { position: state.position, handled: state.handled, paused: state.paused, detail, at };
      return 'idle';
    },
    onFailure: (error, waitMs) =>
      logger.warn({ error, waitMs }, 'The state of the projector could not be saved; it is tried again'),
    pace: { idleMinimumMs: lookMs, idleMaximumMs: lookMs, failedMinimumMs: lookMs, failedMaximumMs: signOfLifeMs },
  });
  const running = loop.run(stopping.signal);

  return {
    soon: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        loop.wake();
      }, PROGRESS_SAVE_MS);
    },
    stop: async () => {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}
