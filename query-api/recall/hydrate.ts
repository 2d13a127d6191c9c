/** Reads the candidates from the graph, the source of truth, and drops those that it does not confirm. */
import type { GraphReader } from '../../shared/graph/graph.js';
import { admits } from './admits.js';
import type { Candidate, HydratedCandidate } from './candidate.js';
import type { RecallPlan } from './plan.js';

/** One round trip; none without candidates. An index may lag behind, so the filters are applied again to what the graph says. */
export async function hydrate(graph: GraphReader, candidates: readonly Candidate[], plan: RecallPlan): Promise<readonly HydratedCandidate[]> {
  if (candidates.length === 0) return [];
  const loaded = await graph.memories(candidates.map(({ id }) => id));
  const evidenceById = new Map(candidates.map(({ id, evidence }) => [id, evidence]));
  return loaded
    .filter(({ memory }) => admits(plan.filter, memory))
    .map(({ memory }) => ({ memory, evidence: evidenceById.get(memory.id) ?? [], replaces: null }));
}
