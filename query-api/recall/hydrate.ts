/** Reads the candidates from the graph, the source of truth, and drops those that it does not confirm; beside them, what succeeded them. */
import { SUPERSESSION_HOPS } from '../../shared/contract/limits.js';
import type { GraphReader, Succession } from '../../shared/graph/graph.js';
import { admits } from './admits.js';
import type { Candidate, HydratedCandidate } from './candidate.js';
import type { RecallPlan } from './plan.js';

export type Hydrated = {
  readonly candidates: readonly HydratedCandidate[];
  /** None when the plan asks for history. */
  readonly successions: readonly Succession[];
};

/** Two round trips side by side; none without candidates. An index may lag behind, so the filters are applied again to what the graph says. */
export async function hydrate(graph: GraphReader, candidates: readonly Candidate[], plan: RecallPlan): Promise<Hydrated> {
  if (candidates.length === 0) return { candidates: [], successions: [] };
  const ids = candidates.map(({ id }) => id);
  const [loaded, successions] = await Promise.all([
    graph.memories(ids),
    plan.stateMode === 'history' ? [] : graph.successions(ids, SUPERSESSION_HOPS),
  ]);
  const evidenceById = new Map(candidates.map(({ id, evidence }) => [id, evidence]));
  const confirmed = loaded
    .filter(({ memory }) => admits(plan.filter, memory))
    .map(({ memory }) => ({ memory, evidence: evidenceById.get(memory.id) ?? [], replaces: null }));
  return { candidates: confirmed, successions };
}
