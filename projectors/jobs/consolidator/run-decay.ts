/** The task `decay`: writes the relevance of each memory where it moved noticeably. */
import { firstRelevance, isNoticeable, RELEVANCE_CLASSES } from '../../../shared/consolidation/relevance.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import { type Examined, examineMemories } from './examine-memories.js';
import { type RunTask, send, type TaskPorts } from './task.js';

type Totals = {
  readonly processed: number;
  readonly changed: number;
  readonly before: number;
  readonly after: number;
  readonly distribution: Readonly<Record<'high' | 'medium' | 'low' | 'archive', number>>;
};
type Saved = { readonly last: string; readonly totals: Totals };

const START: Totals = {
  processed: 0,
  changed: 0,
  before: 0,
  after: 0,
  distribution: { high: 0, medium: 0, low: 0, archive: 0 },
};

/** The schedule leaves out memories of little importance; a request examines all. */
export function createRunDecay(ports: TaskPorts): RunTask {
  const { relevance: rules, forget, decayFromImportance } = ports.config;
  const thresholds = [forget.archiveBelow, forget.deleteBelow].filter((threshold) => threshold > 0);
  const before = ({ memory }: Examined): number => memory.relevance_score ?? firstRelevance(memory, rules);
  return async (run) => {
    const resumed = run.resumed as Saved | null; // as saved below
    let totals = resumed?.totals ?? START;
    for await (const { examined, last } of examineMemories(ports, { ...run, after: resumed?.last ?? '' })) {
      const wanted = examined.filter(({ memory }) => !run.isScheduled || memory.importance >= decayFromImportance);
      const moved = wanted.filter((one) => isNoticeable(before(one), one.relevance, thresholds));
      const commands = moved.map((one) => ({
        kind: 'relevance' as const,
        id: one.memory.id,
        expectedVersion: one.version,
        relevance: one.relevance,
        reason: `The relevance moved from ${rounded(before(one))} to ${rounded(one.relevance)} with age, use and associations.`,
      }));
      const outcomes = await send(commands, { ...ports, ...run });
      const changed = outcomes.filter((outcome) => outcome === 'done').length;
      totals = wanted.reduce((sum, one) => added(sum, before(one), one.relevance), {
        ...totals,
        changed: totals.changed + changed,
      });
      await run.save({ last, totals } satisfies Saved, totals.processed);
    }
    return resultOf(totals);
  };
}

function added(totals: Totals, before: number, after: number): Totals {
  const { high, medium, low } = RELEVANCE_CLASSES;
  const name = after > high ? 'high' : after > medium ? 'medium' : after > low ? 'low' : 'archive';
  return {
    ...totals,
    processed: totals.processed + 1,
    before: totals.before + before,
    after: totals.after + after,
    distribution: { ...totals.distribution, [name]: totals.distribution[name] + 1 },
  };
}

function resultOf({ processed, changed, before, after, distribution }: Totals): JsonRecord {
  const average = (sum: number): number => (processed === 0 ? 0 : rounded(sum / processed));
  return {
    processed,
    changed,
    avg_relevance_before: average(before),
    avg_relevance_after: average(after),
    distribution,
  };
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
