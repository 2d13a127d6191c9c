/**
 * Saves the state of a projector, which the status routes read: soon after each change, and at least once per heartbeat
 * interval.
 */
import { createLoop } from '../shared/kernel/concurrency/loop.js';
import type { Logger } from '../shared/kernel/logger.js';
import type { NewProjectorState, ProjectorStates } from '../shared/ports/journal.js';

/** Delay from a batch to its save, one save for many batches. Short, so that health reports the lag correctly. */
const SAVE_DELAY_MS = 200;
/**
 * The position can also advance without a batch: the next events may be of types that this projector does not handle.
 */
const POLL_MS = 500;

export type StateSaver = {
  /** Saves a changed state within SAVE_DELAY_MS. */
  readonly saveSoon: () => void;
  /** Ends the regular saves. */
  readonly stop: () => Promise<void>;
};

export function createStateSaver({
  status,
  states,
  heartbeatMs,
  logger,
}: {
  readonly status: () => NewProjectorState;
  readonly states: Pick<ProjectorStates, 'save'>;
  readonly heartbeatMs: number;
  readonly logger: Logger;
}): StateSaver {
  const stopping = new AbortController();
  const pollMs = Math.min(POLL_MS, heartbeatMs);
  let timer: NodeJS.Timeout | undefined;
  let saved = { position: -1, handled: -1, paused: false, detail: '', at: -Infinity };

  const loop = createLoop({
    step: async () => {
      const state = status();
      const at = performance.now();
      const detail = JSON.stringify(state.detail ?? null);
      const isChanged =
        state.position !== saved.position ||
        state.handled !== saved.handled ||
        state.paused !== saved.paused ||
        detail !== saved.detail;
      if (!isChanged && at - saved.at < heartbeatMs) return 'idle';
      await states.save(state);
      saved = { position: state.position, handled: state.handled, paused: state.paused, detail, at };
      return 'idle';
    },
    onFailure: (error, waitMs) => logger.warn({ err: error, waitMs }, 'saving the projector state failed'),
    pace: { idleMinimumMs: pollMs, idleMaximumMs: pollMs, failedMinimumMs: pollMs, failedMaximumMs: heartbeatMs },
  });
  const running = loop.run(stopping.signal);

  return {
    saveSoon: () => {
      timer ??= setTimeout(() => {
        timer = undefined;
        loop.wake();
      }, SAVE_DELAY_MS);
    },
    stop: async () => {
      clearTimeout(timer);
      stopping.abort();
      await running;
    },
  };
}
