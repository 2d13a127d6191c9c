/**
 * Starts consolidation when a task is due: it requests the job, which any process may run. One process of a deployment leads; the others wait
 * to take over.
 */
import type { ConsolidationConfig } from '../../../shared/consolidation/consolidation-config.js';
import { CONSOLIDATION_TASKS, type ConsolidationTask } from '../../../shared/contract/consolidation/consolidate.js';
import type { Timestamp } from '../../../shared/contract/memory.js';
import { CONSOLIDATOR } from '../../../shared/contract/projector-names.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { createLoop } from '../../../shared/kernel/concurrency/loop.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { ConsolidationRecords } from '../../../shared/ports/consolidation-records.js';
import type { Jobs } from '../../../shared/ports/jobs.js';
import type { ProjectorStates } from '../../../shared/ports/journal.js';
import type { HeldTask, MaintenanceLock } from '../../../shared/ports/maintenance-lock.js';
import type { ConsolidationRequest } from './run-consolidation.js';

export type Consolidator = { readonly close: () => Promise<void> };

export function startConsolidator({
  lock,
  jobs,
  records,
  states,
  config,
  clock,
  logger: parent,
}: {
  readonly lock: MaintenanceLock;
  readonly jobs: Pick<Jobs, 'create'>;
  readonly records: Pick<ConsolidationRecords, 'begin' | 'lastRuns'>;
  readonly states: Pick<ProjectorStates, 'save'>;
  readonly config: Pick<ConsolidationConfig, 'tickMs' | 'intervalMs'>;
  readonly clock: Clock;
  readonly logger: Logger;
}): Consolidator {
  const logger = parent.child({ projector: CONSOLIDATOR });
  const stop = new AbortController();
  let leadership: HeldTask | null = null;

  async function leads(): Promise<boolean> {
    if (leadership?.lost.aborted !== false) leadership = await lock.take('consolidator');
    return leadership !== null;
  }

  async function tick(): Promise<void> {
    const now = formatTimestamp(clock.now());
    await records.begin(CONSOLIDATION_TASKS, now);
    await beat(now);
    const tasks = dueTasks(await records.lastRuns(), now, config.intervalMs);
    const [only, ...more] = tasks;
    if (only === undefined) return;
    const mode = more.length === 0 ? only : 'scheduled';
    const request: ConsolidationRequest = { mode, dry_run: false, tasks, scheduled: true };
    try {
      const { id } = await jobs.create({ kind: 'consolidate', request });
      logger.info({ job: id, tasks }, 'consolidation is due');
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error; // another job runs: the next tick tries again
    }
  }

  /** One row for the deployment, whichever process leads. */
  async function beat(at: Timestamp): Promise<void> {
    await states.save({
      name: CONSOLIDATOR,
      instance: 'leader',
      position: 0,
      handled: 0,
      failed: 0,
      lastError: null,
      lastErrorAt: null,
      paused: false,
      stopped: false,
      detail: { checked_at: at, tick_ms: config.tickMs },
    });
  }

  const loop = createLoop({
    step: async () => {
      if (await leads()) await tick();
      return 'idle';
    },
    onFailure: (err, waitMs) => {
      if (!stop.signal.aborted) logger.warn({ err, waitMs }, 'looking for due consolidation failed');
    },
    pace: {
      idleMinimumMs: config.tickMs,
      idleMaximumMs: config.tickMs,
      failedMinimumMs: Math.min(config.tickMs, 1_000),
      failedMaximumMs: config.tickMs,
    },
  });
  const running = loop.run(stop.signal);

  return {
    close: async () => {
      stop.abort();
      await running;
      await leadership?.release();
    },
  };
}

/** Tasks whose interval has passed since their last run. A task that never ran is not due: `begin` gives it a first time. */
export function dueTasks(
  lastRuns: ReadonlyMap<ConsolidationTask, Timestamp>,
  now: Timestamp,
  intervalMs: ConsolidationConfig['intervalMs'],
): readonly ConsolidationTask[] {
  return CONSOLIDATION_TASKS.filter((task) => {
    const last = lastRuns.get(task);
    return intervalMs[task] > 0 && last !== undefined && Date.parse(now) - Date.parse(last) >= intervalMs[task];
  });
}
