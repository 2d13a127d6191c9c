/**
 * Computes the points of a score that depend on the query, pure: all but importance, confidence, recency, relevance and
 * the bonus for the caller's context.
 */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';

const QUERY_INDEPENDENT = ['importance', 'confidence', 'recency', 'relevance'] as const;

type Points = Pick<ScoredCandidate, 'components' | 'score'>;

export function matchPoints({ components, score }: Points, weights: Scoring['weights']): number {
  return QUERY_INDEPENDENT.reduce(
    (points, name) => points - weights[name] * components[name],
    score - components.context,
  );
}

/** The score when a match counts only `weight`, 0 to 1: so the scores of several searches are on one scale. */
export function weighedMatch(candidate: Points, weight: number, weights: Scoring['weights']): number {
  return candidate.score - (1 - weight) * matchPoints(candidate, weights);
}
