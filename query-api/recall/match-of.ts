/** Names how a result was found, pure: the source that found it, its strength there, and the store it came from. */
import type { Evidence, ScoredCandidate } from './candidate.js';

export type Match = {
  readonly match_type: MatchType;
  readonly match_score: number;
  readonly source: 'qdrant' | 'graph';
};
type MatchType =
  'semantic' | 'keyword' | 'trending' | 'tag' | 'metadata' | 'relation' | 'entity' | 'priority' | 'replacement';

/** What the vector index found counts as found by meaning, whatever its words: existing clients read it so. */
export function matchOf({ evidence, components, replaces }: ScoredCandidate): Match {
  const has = (source: Evidence['source']): boolean => evidence.some((found) => found.source === source);
  if (replaces) return { match_type: 'replacement', match_score: components.evidence, source: 'graph' };
  if (has('relation')) return { match_type: 'relation', match_score: components.relation, source: 'graph' };
  if (has('entity')) return { match_type: 'entity', match_score: components.entity_expansion ?? 0, source: 'graph' };
  if (has('vector')) return { match_type: 'semantic', match_score: components.vector, source: 'qdrant' };
  if (has('tag')) return { match_type: 'tag', match_score: components.keyword, source: 'graph' };
  if (has('trending') || has('profile'))
    return { match_type: 'trending', match_score: components.keyword, source: 'graph' };
  // Named by the caller and matched by nothing.
  if (has('priority') && !has('keyword')) return { match_type: 'priority', match_score: 0, source: 'graph' };
  if (has('metadata') && components.metadata > components.keyword)
    return { match_type: 'metadata', match_score: components.metadata, source: 'graph' };
  return { match_type: 'keyword', match_score: components.keyword, source: 'graph' };
}
