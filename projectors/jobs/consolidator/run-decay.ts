/** The task `decay`: writes the relevance of each memory where it moved noticeably. */
import { firstRelevance, isNoticeable, RELEVANCE_CLASSES } from '../../../shared/consolidation/relevance.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import { type Examined, examineMemories, withRelevance } from './examine-memories.js';
import { type RunTask, send, type TaskPorts, type TaskRun } from './task.js';

type Totals = {
  readonly processed: number;
  readonly changed: number;
  readonly before: number;
  readonly after: number;
  readonly distribution: Readonly<Record<'high' | 'medium' | 'low' | 'archive', number>>;
};
type Saved = { readonly last: string; readonly totals: Totals };

/** At a memory that others change at the same time. */
const ATTEMPTS = 5;

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

  /**
   * Returns the number of changed memories. A memory that changed after it was examined is examined again, because the
   * next run is a day later.
   */
  async function write(examined: readonly Examined[], run: TaskRun): Promise<number> {
    let changed = 0;
    for (let attempt = 1, left = examined; left.length > 0 && attempt <= ATTEMPTS; attempt += 1) {
      const moved = left.filter((one) => isNoticeable(before(one), one.relevance, thresholds));
      const commands = moved.map((one) => ({
        kind: 'relevance' as const,
        id: one.memory.id,
        expectedVersion: one.version,
        relevance: one.relevance,
        reason: `The relevance moved from ${rounded(before(one))} to ${rounded(one.relevance)} with age, use and associations.`,
      }));
      const outcomes = await send(commands, { ...ports, ...run });
      changed += outcomes.filter((outcome) => outcome === 'done').length;
      const outdated = moved.filter((_one, index) => outcomes[index] === 'outdated').map(({ memory }) => memory.id);
      left = outdated.length === 0 ? [] : await withRelevance(await ports.graph.memories(outdated), run.now, ports);
    }
    return changed;
  }

  return async (run) => {
    const resumed = run.resumed as Saved | null; // as saved below
    let totals = resumed?.totals ?? START;
    for await (const { examined, last } of examineMemories(ports, { ...run, after: resumed?.last ?? '' })) {
      const wanted = examined.filter(({ memory }) => !run.isScheduled || memory.importance >= decayFromImportance);
      const changed = await write(wanted, run);
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
