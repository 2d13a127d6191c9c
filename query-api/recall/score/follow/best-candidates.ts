/** Selects the best candidates of a search, pure. */
import type { ScoredCandidate } from '../../candidate.js';

/** At most `limit`, by score, ties by id, so that both compositions select the same ones. */
export function bestCandidates(scored: readonly ScoredCandidate[], limit: number): readonly ScoredCandidate[] {
  return [...scored]
    .sort((one, other) => other.score - one.score || (one.memory.id < other.memory.id ? -1 : 1))
    .slice(0, limit);
}
