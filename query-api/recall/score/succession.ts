/**
 * Decides on successors, pure. Every memory is scored by its own words and evidence, also a memory that another one
 * replaces. The successor then takes over the match of the replaced memory, but no more than a share of it: each part
 * of its match rises to that share of the same part, if it is lower. So a successor on the topic keeps its own match,
 * and the search need not find the successor itself: its unknown similarity is at least the share.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Scoring } from '../../config.js';
import type { Components, HydratedCandidate, Replaced, ScoredCandidate } from '../candidate.js';
import { MATCH_COMPONENTS, weightedSum } from './match-points.js';

/** A memory with its own evidence, and the memories that it replaces. */
export type OwnCandidate = HydratedCandidate & {
  readonly replaces: null;
  readonly predecessors: readonly Replaced[];
};

/** The candidates and the memories that they replace, each memory once. */
export function ownCandidates(candidates: readonly HydratedCandidate[]): readonly OwnCandidate[] {
  const pool = new Map<MemoryId, OwnCandidate>();
  const addOnce = ({
    memory,
    position,
    evidence,
  }: Pick<Replaced, 'memory' | 'position' | 'evidence'>): OwnCandidate => {
    const own = pool.get(memory.id) ?? { memory, position, evidence, replaces: null, predecessors: [] };
    pool.set(memory.id, own);
    return own;
  };
  for (const candidate of candidates) {
    const { memory, replaces } = candidate;
    const own = addOnce(candidate);
    if (replaces === null) continue;
    addOnce(replaces);
    pool.set(memory.id, { ...own, predecessors: [...own.predecessors, replaces] });
  }
  return [...pool.values()];
}

/** The candidates in their order, with their scores from `own` and what they take over. */
export function withSuccession(
  candidates: readonly HydratedCandidate[],
  own: readonly ScoredCandidate[],
  weights: Scoring['weights'],
): readonly ScoredCandidate[] {
  const byId = new Map(own.map((scored) => [scored.memory.id, scored]));
  return candidates.flatMap((candidate) => {
    const scored = byId.get(candidate.memory.id);
    if (!scored) return [];
    const { features, components, score } = scored;
    const { memory, position, evidence, replaces } = candidate; // not `...candidate`, which is slow
    const predecessor = replaces ? byId.get(replaces.memory.id) : undefined;
    if (!replaces || !predecessor) return [{ memory, position, evidence, replaces, features, components, score }];
    const raised = raisedComponents(components, predecessor.components, { names: INHERITED, share: replaces.share });
    const raisedScore = weightedSum(raised, weights);
    return [{ memory, position, evidence, replaces, features, components: raised, score: raisedScore }];
  });
}

const INHERITED = [...MATCH_COMPONENTS, 'context'] as const;

type Raise = {
  readonly names: readonly Exclude<keyof Components, 'relevance_gated'>[];
  /** The share of the other's components that counts. */
  readonly share: number;
};

/** Raises each of the named components to the share of the other's, if it is lower. */
export function raisedComponents(own: Components, other: Components, { names, share }: Raise): Components {
  const raised = names.map((name) => [name, Math.max(own[name] ?? 0, share * (other[name] ?? 0))]);
  const boost = Math.max(own.entity_expansion ?? 0, share * (other.entity_expansion ?? 0));
  return { ...own, ...Object.fromEntries(raised), ...(boost > 0 ? { entity_expansion: boost } : {}) };
}
