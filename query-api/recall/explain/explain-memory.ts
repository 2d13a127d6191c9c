/**
 * What became of the one memory that a caller asks about: its place among the results, or the cut that dropped it. Reads the memory and
 * what succeeded it, side by side, only when no stage knew it.
 */
import { SUPERSESSION_HOPS } from '../../../shared/contract/limits.js';
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader, Succession } from '../../../shared/graph/graph.js';
import type { Evidence, Hit, ScoredCandidate, SourceName } from '../candidate.js';
import type { RecallPlan } from '../plan.js';
import { createJudge } from '../state.js';
import {
  explainCandidate,
  explainResult,
  type ExplainContext,
  type ExplainedCandidate,
  type ExplainedResult,
} from './explain-result.js';
import { failedRules } from './failed-rules.js';
import { findCut, type Cut, type Known } from './find-cut.js';

export type ExplainedMemory = {
  readonly memory_id: MemoryId;
  /** From 1; null when it is not among the results. */
  readonly position: number | null;
  readonly cut: Cut | null;
  /** Null for a memory that is not there. */
  readonly evidence: ExplainedCandidate | ExplainedResult | null;
};

/** What the stages of a recall left behind. */
export type Trace = Known & {
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly results: readonly ScoredCandidate[];
};

export type Asking = { readonly graph: GraphReader; readonly trace: Trace; readonly context: ExplainContext };

export async function explainMemory(id: MemoryId, { graph, trace, context }: Asking): Promise<ExplainedMemory> {
  const index = trace.results.findIndex(({ memory }) => memory.id === id);
  const result = trace.results[index] ?? trace.scored.find(({ memory }) => memory.id === id);
  const cut = index < 0 ? findCut(id, trace) : null;
  const known = { memory_id: id, position: index < 0 ? null : index + 1 };
  if (result && (index >= 0 || cut)) return { ...known, cut, evidence: explainResult(result, context) };
  const { memory, successions } = await read(graph, id, trace.plan);
  if (!memory) return { ...known, cut: { at: 'absent' }, evidence: null };
  const evidence = explainCandidate({ memory, evidence: evidenceFor(id, trace.hits), replaces: null }, context);
  return { ...known, cut: cut ?? cutOf(memory, successions, trace), evidence };
}

type Read = { readonly memory: Memory | null; readonly successions: readonly Succession[] };

async function read(graph: GraphReader, id: MemoryId, { stateMode }: RecallPlan): Promise<Read> {
  const [[loaded], successions] = await Promise.all([
    graph.memories([id]),
    stateMode === 'history' ? [] : graph.successions([id], SUPERSESSION_HOPS),
  ]);
  return { memory: loaded?.memory ?? null, successions };
}

/** The cut of a memory that no stage got to judge. */
function cutOf(memory: Memory, successions: readonly Succession[], { plan, hits }: Trace): Cut {
  const rules = failedRules(plan.filter, memory);
  if (rules.length > 0) return { at: 'filter', rules };
  const { reason, succession } =
    plan.stateMode === 'history'
      ? { reason: null, succession: null }
      : createJudge(successions, plan.filter.now)(memory);
  if (reason === null)
    return { at: 'retrieval', found: Object.fromEntries([...hits].map(([name, found]) => [name, found.length])) };
  return {
    at: 'state',
    reason,
    ...(succession ? { successor: succession.head, relation_type: succession.successor.type } : {}),
  };
}

function evidenceFor(id: MemoryId, hits: Trace['hits']): readonly Evidence[] {
  return [...hits.values()]
    .flat()
    .filter((hit) => hit.id === id)
    .map(({ evidence }) => evidence);
}
