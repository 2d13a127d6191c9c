/**
 * Follows the associations of the results in both directions, with one round trip for all results and one to admit the
 * memories.
 */
import { AUTHORABLE_TYPES } from '../../../shared/contract/association.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader, Step } from '../../../shared/ports/graph.js';
import type { Candidate, Evidence, ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { fuse } from '../retrieve/fuse.js';
import { relationScore } from '../score/score-candidates.js';
import type { AdmitExpanded, Admitted, Reached } from './admit-expanded.js';

/**
 * The most associations of all results together; each result gets an equal share. Matters above 50 results with the
 * largest `relation_limit`.
 */
const MAX_FOLLOWED = 10_000;

type Dependencies = { readonly graph: GraphReader; readonly admit: AdmitExpanded };

type ExpansionStart = Omit<Reached, 'candidates'>;

export type ExpandAssociations = (start: ExpansionStart, plan: RecallPlan) => Promise<Admitted>;

/** Follows only associations that callers created: derived associations connect nearly all memories. */
export function createExpandAssociations({ graph, admit }: Dependencies): ExpandAssociations {
  return async (start, plan) => {
    const { minStrength, relationLimit } = plan.expansion;
    const ids = start.shown.map(({ memory }) => memory.id);
    const limit = Math.min(relationLimit, Math.floor(MAX_FOLLOWED / ids.length));
    const { excludedTypes, within } = plan.filter;
    const steps = await graph.steps({
      ids,
      types: AUTHORABLE_TYPES,
      minStrength,
      excludedTypes,
      within,
      limit,
    });
    return admit({ ...start, candidates: associatedCandidates(start.shown, steps) }, plan);
  };
}

type Seed = Pick<ScoredCandidate, 'memory' | 'score'>;

/**
 * One candidate per memory, with every association that led to it. The highest relation score first, then the rank of
 * its seed. Never a result itself.
 */
export function associatedCandidates(
  seeds: readonly Seed[],
  steps: ReadonlyMap<MemoryId, readonly Step[]>,
): readonly Candidate[] {
  const seedIds = new Set<string>(seeds.map(({ memory }) => memory.id));
  const followed = seeds.map(({ memory, score }, rank) => {
    const seed = { id: memory.id, importance: memory.importance, score, rank };
    const outward = (steps.get(memory.id) ?? []).filter((step) => !seedIds.has(step.memory.id));
    return outward.map(({ type, strength, memory: { id } }) => ({
      id: id as MemoryId, // the id of a stored memory
      evidence: { source: 'relation', type, strength, seed } satisfies Evidence,
    }));
  });
  // Candidates keep the order of their first appearance where the scores are equal.
  return [...fuse(followed)].sort((one, other) => relationScore(other.evidence) - relationScore(one.evidence));
}
