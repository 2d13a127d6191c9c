/** Repeats a scheduled step in one process of a deployment, which leads; the others wait to take over. */
import type {
  CACHE_CLEANER,
  CONSOLIDATOR,
  DRIFT_REPAIRER,
  WEBHOOK_SENDER,
} from '../../shared/contract/projector-names.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { createLoop } from '../../shared/kernel/concurrency/loop.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { NewProjectorState, ProjectorStates } from '../../shared/ports/journal.js';
import type { HeldTask, MaintenanceLock } from '../../shared/ports/maintenance-lock.js';

export type Leader = {
  /** Waits for the running step, then gives up the lead. */
  readonly close: () => Promise<void>;
};

/** Saves the one state of the deployment, whichever process leads. */
export type SaveState = (detail: NonNullable<NewProjectorState['detail']>) => Promise<void>;

export function startLeader({
  name,
  step,
  failure,
  pollMs,
  failedMaximumMs,
  lock,
  states,
  logger,
}: {
  /** Of its lock and of its state. */
  readonly name: typeof CACHE_CLEANER | typeof CONSOLIDATOR | typeof DRIFT_REPAIRER | typeof WEBHOOK_SENDER;
  /** Called every `pollMs` in the process that leads. The signal is aborted when it closes or loses the lead. */
  readonly step: (save: SaveState, signal: AbortSignal) => Promise<void>;
  /** The log line of a failed step. */
  readonly failure: string;
  readonly pollMs: number;
  readonly failedMaximumMs: number;
  readonly lock: MaintenanceLock;
  readonly states: Pick<ProjectorStates, 'save'>;
  readonly logger: Logger;
}): Leader {
  const stop = new AbortController();
  let leadership: HeldTask | null = null;

  const save: SaveState = (detail) =>
    states.save({
      name,
      instance: 'leader',
      position: 0,
      handled: 0,
      failed: 0,
      lastError: null,
      lastErrorAt: null,
      paused: false,
      stopped: false,
      detail,
    });

  const running = createLoop({
    step: async (signal) => {
      if (leadership?.lost.aborted !== false) leadership = await lock.take(name);
      if (leadership !== null) await withAnySignal([signal, leadership.lost], (ended) => step(save, ended));
      return 'idle';
    },
    onFailure: (err, waitMs) => {
      if (!stop.signal.aborted) logger.warn({ err, waitMs }, failure);
    },
    pace: {
      idleMinimumMs: pollMs,
      idleMaximumMs: pollMs,
      failedMinimumMs: Math.min(pollMs, 1_000),
      failedMaximumMs,
    },
  }).run(stop.signal);

  return {
    close: async () => {
      stop.abort();
      await running;
      await leadership?.release();
    },
  };
}
