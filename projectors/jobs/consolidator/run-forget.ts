/**
 * The task `forget`: archives, or deletes, memories of little relevance that nothing protects. By default it does
 * neither.
 */
import type { ForgetRules } from '../../../shared/consolidation/consolidation-config.js';
import { daysBetween } from '../../../shared/consolidation/relevance.js';
import type { ConsolidationCommand } from '../../../shared/contract/consolidation/commands.js';
import { FORGET_SAMPLE } from '../../../shared/contract/consolidation/consolidate.js';
import type { Memory, Timestamp } from '../../../shared/contract/memory.js';
import type { JsonRecord } from '../../../shared/ports/jobs.js';
import { type Examined, examineMemories } from './examine-memories.js';
import { type RunTask, send, type TaskPorts } from './task.js';

type Kind = 'archived' | 'deleted' | 'protected';
type Totals = {
  readonly examined: number;
  readonly preserved: number;
  readonly counts: Readonly<Record<Kind, number>>;
} & Readonly<Record<Kind, readonly JsonRecord[]>>;
type Saved = { readonly last: string; readonly totals: Totals };
type Verdict = { readonly action: 'archive' | 'delete'; readonly protection: string | null };

const START: Totals = {
  examined: 0,
  archived: [],
  deleted: [],
  preserved: 0,
  protected: [],
  counts: { archived: 0, deleted: 0, protected: 0 },
};

export function createRunForget(ports: TaskPorts): RunTask {
  const rules = ports.config.forget;
  return async (run) => {
    const resumed = run.resumed as Saved | null; // as saved below
    let totals = resumed?.totals ?? START;
    for await (const { examined, last } of examineMemories(ports, { ...run, after: resumed?.last ?? '' })) {
      const decided = examined.map((one) => ({ one, verdict: decideForgetting(one, run.now, rules) }));
      const due = decided.flatMap(({ one, verdict }) =>
        verdict !== null && verdict.protection === null ? [{ one, action: verdict.action }] : [],
      );
      const outcomes = await send(
        due.map(({ one, action }) => commandOf(one, action, rules)),
        { ...ports, ...run },
      );
      for (const { one, verdict } of decided) {
        if (verdict?.protection) totals = listed(totals, 'protected', protectedItem(one, verdict));
      }
      due.forEach(({ one, action }, index) => {
        if (outcomes[index] === 'done')
          totals = listed(totals, action === 'delete' ? 'deleted' : 'archived', itemOf(one));
      });
      totals = withExamined(totals, examined.length);
      await run.save({ last, totals } satisfies Saved, totals.examined);
    }
    return totals;
  };
}

/** Null for a memory that is relevant enough. A threshold of 0 is never reached. */
export function decideForgetting(
  { memory, relevance }: Pick<Examined, 'relevance'> & { readonly memory: Memory },
  now: Timestamp,
  rules: ForgetRules,
): Verdict | null {
  const action = relevance < rules.deleteBelow ? 'delete' : relevance < rules.archiveBelow ? 'archive' : null;
  return action && { action, protection: protectionOf(memory, now, rules) };
}

/** The reason of the caller is in the memory. */
const PROTECTED = 'It is protected';

function protectionOf(memory: Memory, now: Timestamp, rules: ForgetRules): string | null {
  if (memory.protected === true) return PROTECTED;
  if (memory.importance >= rules.importantFrom) return `Its importance is ${memory.importance}`;
  if (daysBetween(memory.timestamp, now) < rules.graceDays) return `It is younger than ${rules.graceDays} days`;
  if (rules.protectedTypes.has(memory.type)) return `Its type is ${memory.type}`;
  return null;
}

function commandOf(
  { memory: { id }, version: expectedVersion, relevance }: Examined,
  action: Verdict['action'],
  rules: ForgetRules,
): ConsolidationCommand {
  const threshold = action === 'delete' ? rules.deleteBelow : rules.archiveBelow;
  const reason = `Its relevance, ${relevance.toFixed(4)}, is below ${threshold}.`;
  return action === 'delete'
    ? { kind: 'delete', id, expectedVersion, reason }
    : { kind: 'archive', id, expectedVersion, relevance, reason };
}

/** Without words of the memory, which would stay in the job after its deletion. The answer to a request adds them. */
function itemOf({ memory: { id, type }, relevance }: Examined): JsonRecord {
  return { id, relevance, type };
}

function protectedItem(one: Examined, { protection, action }: Verdict): JsonRecord {
  return { ...itemOf(one), protection_reason: protection, action };
}

function listed(totals: Totals, kind: Kind, item: JsonRecord): Totals {
  return {
    ...totals,
    [kind]: totals[kind].length < FORGET_SAMPLE ? [...totals[kind], item] : totals[kind],
    counts: { ...totals.counts, [kind]: totals.counts[kind] + 1 },
  };
}

/** Every examined memory that is in no list is preserved. */
function withExamined(totals: Totals, more: number): Totals {
  const examined = totals.examined + more;
  const { archived, deleted, protected: kept } = totals.counts;
  return { ...totals, examined, preserved: examined - archived - deleted - kept };
}
