/** GET /consolidate/status: when each task runs next, and the runs so far. */
import type { ConsolidationConfig } from '../../shared/consolidation/consolidation-config.js';
import type { ConsolidationTask } from '../../shared/contract/consolidation/consolidate.js';
import type { Timestamp } from '../../shared/contract/memory.js';
import { CONSOLIDATOR } from '../../shared/contract/projector-names.js';
import type { Handler } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { ConsolidationRecords, ConsolidationRun } from '../../shared/ports/consolidation-records.js';
import type { ProjectorStates } from '../../shared/ports/journal.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A leader that missed as many ticks is not alive. */
const MISSED_TICKS = 3;
/** For a leader that is busy. */
const GRACE_MS = 10_000;

export function createConsolidationStatus({
  records,
  projectorStates,
  config,
  clock,
}: {
  readonly records: Pick<ConsolidationRecords, 'lastRuns' | 'history'>;
  readonly projectorStates: Pick<ProjectorStates, 'list'>;
  readonly config: Pick<ConsolidationConfig, 'tickMs' | 'intervalMs' | 'historyLimit'>;
  readonly clock: Clock;
}): Handler<'consolidationStatus'> {
  return async () => {
    const [lastRuns, history, states] = await Promise.all([
      records.lastRuns(),
      records.history(config.historyLimit),
      projectorStates.list(),
    ]);
    const now = clock.now().getTime();
    const next = (task: ConsolidationTask) => nextRun(lastRuns.get(task), config.intervalMs[task], now);
    return {
      status: 200,
      body: {
        status: 'success',
        next_runs: {
          decay: next('decay'),
          forget: next('forget'),
          creative: next('creative'),
          cluster: next('cluster'),
          identity: next('identity'),
        },
        history: history.map(historyItem),
        thread_alive: states.some(
          ({ name, heartbeatAgeMs }) =>
            name === CONSOLIDATOR && heartbeatAgeMs < MISSED_TICKS * config.tickMs + GRACE_MS,
        ),
        tick_seconds: Math.round(config.tickMs / 1_000),
      },
    };
  };
}

/** A task that never ran counts as run now: the first tick gives it that time. */
export function nextRun(lastRun: Timestamp | undefined, intervalMs: number, now: number): string {
  if (intervalMs === 0) return 'Disabled';
  const leftMs = (lastRun === undefined ? now : Date.parse(lastRun)) + intervalMs - now;
  if (leftMs <= 0) return 'Due now';
  return leftMs >= DAY_MS ? inUnits(leftMs / DAY_MS, 'day') : inUnits(leftMs / HOUR_MS, 'hour');
}

function inUnits(left: number, unit: string): string {
  const whole = Math.floor(left);
  return `In ${whole} ${unit}${whole === 1 ? '' : 's'}`;
}

function historyItem({ id, mode, tasks, success, startedAt, completedAt, result }: ConsolidationRun) {
  return {
    id,
    mode,
    task: tasks.join(','),
    success,
    dry_run: false,
    started_at: startedAt,
    completed_at: completedAt,
    result,
  };
}
