/**
 * Computes the points of a score that depend on the query, pure: all but importance, confidence, recency, relevance and
 * the bonus for the caller's context.
 */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';

const QUERY_INDEPENDENT = ['importance', 'confidence', 'recency', 'relevance'] as const;

export function matchPoints(
  { components, score }: Pick<ScoredCandidate, 'components' | 'score'>,
  weights: Scoring['weights'],
): number {
  return QUERY_INDEPENDENT.reduce(
    (points, name) => points - weights[name] * components[name],
    score - components.context,
  );
}
