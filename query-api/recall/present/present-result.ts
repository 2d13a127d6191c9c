/** Presents one result in the fields of the contract, pure. */
import type { RecallResult } from '../../../shared/contract/recall-reply.js';
import type { Relation } from '../../../shared/ports/graph.js';
import { relationReply } from '../../relation-reply.js';
import type { Evidence, ScoredCandidate } from '../candidate.js';
import { isExpanded } from '../expand/expansion-evidence.js';
import type { SelectedResult } from '../select/select-results.js';
import { followedRelations, presentOrigin } from './present-expansion.js';
import { rounded, roundedWithin } from './rounded.js';

/** Each result repeats the first 256 characters of its query; the reply has the whole query once. */
const SHOWN_QUERY_LENGTH = 256;
/** The most pieces of the same source that a result names. */
const SHOWN_PIECES = 20;

export function presentResult(result: SelectedResult, relations: readonly Relation[]): RecallResult {
  const { memory, replaces, dedupedFrom, sourcePieces = [], scoredBy } = result;
  const score = rounded(result.score);
  return {
    id: memory.id,
    score,
    final_score: score,
    ...(replaces || isExpanded(result) ? {} : { original_score: rounded(result.originalScore ?? result.score) }),
    ...(replaces || !scoredBy?.hasFound ? {} : { _query: scoredBy.query.slice(0, SHOWN_QUERY_LENGTH) }),
    ...presentMatch(result),
    ...(result.match ? { match_probability: rounded(result.match.probability) } : {}),
    memory: { ...memory, memory_id: memory.id, created_at: memory.timestamp },
    relations: replaces
      ? [{ type: replaces.type, strength: replaces.strength, from: replaces.memory.id }]
      : (followedRelations(result) ?? relations.map(relationReply)),
    ...presentOrigin(result),
    score_components: roundedWithin(result.components),
    ...(dedupedFrom.length > 0 ? { deduped_from: dedupedFrom } : {}),
    ...(sourcePieces.length > 0
      ? { source_pieces: sourcePieces.slice(0, SHOWN_PIECES).map((piece) => piece.memory.id) }
      : {}),
    ...(replaces ? { state_replaces: replaces.memory.id } : {}),
    ...(result.isOutsideTagScope ? { outside_tag_scope: true } : {}),
  };
}

function presentMatch(result: ScoredCandidate) {
  const match = matchOf(result);
  return { ...match, match_score: rounded(match.match_score) };
}

type Match = Pick<RecallResult, 'match_type' | 'match_score' | 'source'>;

/**
 * Names how a result was found: the source, its strength there, and the store. A memory that the vector index found
 * counts as `semantic`, whatever its words: existing clients rely on it.
 */
function matchOf({ evidence, components, replaces }: ScoredCandidate): Match {
  const has = (source: Evidence['source']): boolean => evidence.some((found) => found.source === source);
  if (replaces) return { match_type: 'replacement', match_score: components.evidence, source: 'graph' };
  if (has('relation')) return { match_type: 'relation', match_score: components.relation, source: 'graph' };
  if (has('entity')) return { match_type: 'entity', match_score: components.entity_expansion ?? 0, source: 'graph' };
  if (has('vector')) return { match_type: 'semantic', match_score: components.vector, source: 'qdrant' };
  if (has('tag')) return { match_type: 'tag', match_score: components.keyword, source: 'graph' };
  if (has('trending') || has('profile'))
    return { match_type: 'trending', match_score: components.keyword, source: 'graph' };
  // The caller named it by id, and the query does not match it.
  if (has('priority') && !has('keyword')) return { match_type: 'priority', match_score: 0, source: 'graph' };
  if (has('metadata') && components.metadata > components.keyword)
    return { match_type: 'metadata', match_score: components.metadata, source: 'graph' };
  return { match_type: 'keyword', match_score: components.keyword, source: 'graph' };
}
