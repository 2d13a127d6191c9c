/**
 * Explains the one memory that the caller names: its position among the results, or the cut that dropped it. Only when
 * no stage had the memory, reads it and its successors, side by side.
 */
import { SUPERSESSION_HOPS } from '../../../../shared/contract/limits.js';
import type { Memory, MemoryId } from '../../../../shared/contract/memory.js';
import type { GraphReader, Succession } from '../../../../shared/ports/graph.js';
import { visibleGraph } from '../../../visible-graph.js';
import type { Evidence, Hit, ScoredCandidate, SourceName } from '../../candidate.js';
import { createStateResolver } from '../../hydrate/state.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import {
  explainCandidate,
  type ExplainContext,
  type ExplainedCandidate,
  type ExplainedResult,
  explainResult,
} from './explain-result.js';
import { type Cut, type CutTrace, failedRules, findCut } from './find-cut.js';

export type ExplainedMemory = {
  readonly memory_id: MemoryId;
  /** From 1; null when it is not among the results. */
  readonly position: number | null;
  readonly cut: Cut | null;
  /** Null for a memory that does not exist. */
  readonly evidence: ExplainedCandidate | ExplainedResult | null;
};

/** The results of the earlier stages. */
export type Trace = CutTrace & {
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly selected: { readonly results: readonly ScoredCandidate[] };
};

export type ExplainDependencies = {
  readonly graph: GraphReader;
  readonly trace: Trace;
  readonly context: ExplainContext;
};

export async function explainMemory(
  id: MemoryId,
  { graph, trace, context }: ExplainDependencies,
): Promise<ExplainedMemory> {
  const { results } = trace.selected;
  const index = results.findIndex(({ memory }) => memory.id === id);
  const result = results[index] ?? trace.pool.find(({ memory }) => memory.id === id);
  const cut = index < 0 ? findCut(id, trace) : null;
  const base = { memory_id: id, position: index < 0 ? null : index + 1 };
  if (result && (index >= 0 || cut)) return { ...base, cut, evidence: explainResult(result, context) };
  const { memory, successions } = await readMemory(graph, id, trace.plan);
  if (!memory) return { ...base, cut: { at: 'absent' }, evidence: null };
  const evidence = explainCandidate({ memory, evidence: evidenceOf(id, trace.hits), replaces: null }, context);
  return { ...base, cut: cut ?? cutOf(memory, successions, trace), evidence };
}

type StoredMemory = { readonly memory: Memory | null; readonly successions: readonly Succession[] };

async function readMemory(graph: GraphReader, id: MemoryId, { stateMode, filter }: RecallPlan): Promise<StoredMemory> {
  const visible = visibleGraph(graph, filter.within);
  const [[loaded], successions] = await Promise.all([
    visible.memories([id]),
    stateMode === 'history' ? [] : visible.successions([id], SUPERSESSION_HOPS),
  ]);
  return { memory: loaded?.memory ?? null, successions };
}

/** The cut of a memory that no stage had. */
function cutOf(memory: Memory, successions: readonly Succession[], { plan, hits }: Trace): Cut {
  const rules = failedRules(plan.filter, memory);
  if (rules.length > 0) return { at: 'filter', rules };
  const { reason, succession } =
    plan.stateMode === 'history'
      ? { reason: null, succession: null }
      : createStateResolver(successions, plan.filter.now)(memory);
  if (reason === null)
    return { at: 'retrieval', found: Object.fromEntries([...hits].map(([name, found]) => [name, found.length])) };
  return {
    at: 'state',
    reason,
    ...(succession ? { successor: succession.head, relation_type: succession.successor.type } : {}),
  };
}

function evidenceOf(id: MemoryId, hits: Trace['hits']): readonly Evidence[] {
  return [...hits.values()]
    .flat()
    .filter((hit) => hit.id === id)
    .map(({ evidence }) => evidence);
}
