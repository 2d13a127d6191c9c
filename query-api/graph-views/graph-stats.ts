/** GET /graph/stats: counts by type, by importance and by day. */
import { drawingKeysOf } from '../../shared/contract/graph-views/drawing.js';
import type { Handler } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { GraphInspector, GraphSpread } from '../../shared/ports/graph-inspector.js';
import { rounded } from '../recall/present/rounded.js';

const [HIGH, MEDIUM] = [0.8, 0.5] as const;
/** The present day included. */
const DAYS = 30;
const DAY_MS = 86_400_000;

type Dependencies = {
  readonly inspector: Pick<GraphInspector, 'totals' | 'spread'>;
  readonly archiveBelow: number;
  readonly clock: Clock;
};

export function createGraphStats({ inspector, archiveBelow, clock }: Dependencies): Handler<'graphStats'> {
  return async ({ context: { startedAt } }) => {
    const [{ memories, associations }, { fromImportance, byDay }] = await Promise.all([
      inspector.totals(),
      readLastDays(inspector, clock.now(), [HIGH, MEDIUM]),
    ]);
    const [nodes, edges] = [sumOf(memories), sumOf(associations)];
    const [high = 0, fromMedium = 0] = fromImportance;
    return {
      status: 200,
      body: {
        totals: { nodes, edges },
        by_type: Object.fromEntries(memories),
        by_relationship: Object.fromEntries(associations),
        // A memory that was stored between the two reads is in one of them alone.
        importance_distribution: { high, medium: fromMedium - high, low: Math.max(0, nodes - fromMedium) },
        recent_activity: byDay,
        meta: drawingKeysOf({ queryTimeMs: rounded(performance.now() - startedAt, 2), archiveBelow }),
      },
    };
  };
}

export function sumOf(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((sum, each) => sum + each, 0);
}

type LastDays = Pick<GraphSpread, 'fromImportance'> & {
  /** The last UTC dates, the oldest first. */
  readonly byDay: readonly { readonly date: string; readonly count: number }[];
};

/** Counts the memories of the last DAYS days by the date of their timestamp, and those from each importance on. */
export async function readLastDays(
  inspector: Pick<GraphInspector, 'spread'>,
  now: Date,
  importances: readonly number[] = [],
): Promise<LastDays> {
  const dates = lastDates(now);
  const until = dateOf(now.getTime() + DAY_MS);
  const { fromImportance, byDate } = await inspector.spread({ importances, from: dates[0] ?? '', until });
  return { fromImportance, byDay: dates.map((date) => ({ date, count: byDate.get(date) ?? 0 })) };
}

/** The last UTC dates, the oldest first. */
function lastDates(now: Date): readonly string[] {
  return Array.from({ length: DAYS }, (_, index) => dateOf(now.getTime() - (DAYS - 1 - index) * DAY_MS));
}

function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}
