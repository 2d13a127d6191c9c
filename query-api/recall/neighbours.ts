/** Which memories the associations of the results lead to, pure: one candidate for each, with every association that was followed to it. */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Relation } from '../../shared/graph/graph.js';
import type { Candidate, Evidence, ScoredCandidate } from './candidate.js';
import { fuse } from './fuse.js';
import { relationScore } from './relation-score.js';

type Seed = Pick<ScoredCandidate, 'memory' | 'score'>;

/** The highest relation score first, then the better result it was reached from. Results do not lead to each other. */
export function neighboursOf(
  seeds: readonly Seed[],
  relations: ReadonlyMap<MemoryId, readonly Relation[]>,
): readonly Candidate[] {
  const seedIds = new Set<string>(seeds.map(({ memory }) => memory.id));
  const followed = seeds.map(({ memory, score }, rank) => {
    const seed = { id: memory.id, importance: memory.importance, score, rank };
    const leading = (relations.get(memory.id) ?? []).filter((relation) => !seedIds.has(relation.memory.id));
    return leading.map(({ type, strength, memory: { id } }) => ({
      id: id as MemoryId, // a stored memory's own
      evidence: { source: 'relation', type, strength, seed } satisfies Evidence,
    }));
  });
  // Candidates keep the order of their first appearance where the scores are equal.
  return [...fuse(followed)].sort((one, other) => relationScore(other.evidence) - relationScore(one.evidence));
}
