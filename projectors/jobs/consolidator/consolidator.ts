/** Starts consolidation when a task is due: it requests the job, which any process may run. */
import type { ConsolidationConfig } from '../../../shared/consolidation/consolidation-config.js';
import { CONSOLIDATION_TASKS, type ConsolidationTask } from '../../../shared/contract/consolidation/consolidate.js';
import type { Timestamp } from '../../../shared/contract/memory.js';
import { CONSOLIDATOR } from '../../../shared/contract/projector-names.js';
import { type Clock, formatTimestamp } from '../../../shared/kernel/clock.js';
import { ConflictError } from '../../../shared/kernel/errors.js';
import type { ConsolidationRecords } from '../../../shared/ports/consolidation-records.js';
import type { Jobs } from '../../../shared/ports/jobs.js';
import { type Leader, type SaveState, startLeader } from '../lead.js';
import type { ConsolidationRequest } from './run-consolidation.js';

export function startConsolidator({
  jobs,
  records,
  config: { tickMs, intervalMs },
  clock,
  logger: parent,
  ...ports
}: Pick<Parameters<typeof startLeader>[0], 'lock' | 'states' | 'logger'> & {
  readonly jobs: Pick<Jobs, 'create'>;
  readonly records: Pick<ConsolidationRecords, 'begin' | 'lastRuns'>;
  readonly config: Pick<ConsolidationConfig, 'tickMs' | 'intervalMs'>;
  readonly clock: Clock;
}): Leader {
  const logger = parent.child({ projector: CONSOLIDATOR });

  async function tick(save: SaveState): Promise<void> {
    const now = formatTimestamp(clock.now());
    await records.begin(CONSOLIDATION_TASKS, now);
    await save({ checked_at: now, tick_ms: tickMs });
    const tasks = dueTasks(await records.lastRuns(), now, intervalMs);
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

  return startLeader({
    ...ports,
    name: CONSOLIDATOR,
    step: tick,
    failure: 'looking for due consolidation failed',
    pollMs: tickMs,
    failedMaximumMs: tickMs,
    logger,
  });
}

/**
 * Tasks whose interval has passed since their last run. A task that never ran is not due: `begin` gives it a first
 * time.
 */
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
