/** Merges the candidates of all searches of a recall, pure, and converts their scores to one scale. */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { ScoredSearch } from '../score/score.js';
import { searchWeights } from './search-weights.js';
import { selectResults } from './select-results.js';

export type MergedSearches = {
  /** A memory appears once per search that found it; `selectResults` keeps the one with the best score. */
  readonly candidates: readonly ScoredCandidate[];
  /** How many results of single searches were also results of other searches. */
  readonly dedupRemoved: number;
} & Omit<ScoredSearch, 'search' | 'scored'>;

/** A single search keeps its scores, and all its candidates unless `perQueryLimit` is below the limit. */
export function mergeSearches(
  found: readonly ScoredSearch[],
  plan: RecallPlan,
  weights: Scoring['weights'],
): MergedSearches {
  const finalWeights = searchWeights(
    found.map(({ search, scored }) => ({
      weight: search.weight,
      matches: scored.map((candidate) => matchOf(candidate, weights)),
    })),
  );
  const weighted = found.map(({ search, scored }, index) => {
    const weight = finalWeights[index] ?? 0;
    const kept = found.length > 1 || plan.perQueryLimit < plan.limit ? topCandidates(scored, plan) : scored;
    return kept.map((candidate) => ({
      ...candidate,
      score: candidate.score - (1 - weight) * matchOf(candidate, weights),
      foundBy: { query: search.query, weight },
    }));
  });
  const candidates = weighted.flat();
  return {
    candidates,
    dedupRemoved:
      found.length === 1 ? 0 : sum(weighted.map((each) => countDistinct(each, plan))) - countDistinct(candidates, plan),
    hits: mergeHits(found),
    degraded: distinctBy(
      found.flatMap(({ degraded }) => degraded),
      ({ source, reason }) => `${source} ${reason}`,
    ),
    suppressed: distinctBy(
      found.flatMap(({ suppressed }) => suppressed),
      ({ id }) => id,
    ),
  };
}

/**
 * These components and the context bonus do not depend on the query. The rest of a score is how well the memory
 * matches.
 */
const QUERY_INDEPENDENT = ['importance', 'confidence', 'recency', 'relevance'] as const;

function matchOf({ components, score }: ScoredCandidate, weights: Scoring['weights']): number {
  return score - components.context - sum(QUERY_INDEPENDENT.map((name) => weights[name] * components[name]));
}

/** The results that the search alone would have, with all candidates that merge into them. */
function topCandidates(
  scored: readonly ScoredCandidate[],
  { sort, profile, perQueryLimit }: RecallPlan,
): readonly ScoredCandidate[] {
  const { results } = selectResults(scored, { minScore: 0, sort, profile, limit: perQueryLimit });
  const ids = new Set(results.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  return scored.filter(({ memory }) => ids.has(memory.id));
}

function countDistinct(candidates: readonly ScoredCandidate[], { sort, profile }: RecallPlan): number {
  return selectResults(candidates, { minScore: 0, sort, profile, limit: Infinity }).results.length;
}

/** By source, each memory once. */
function mergeHits(found: readonly ScoredSearch[]): ScoredSearch['hits'] {
  const names = new Set(found.flatMap(({ hits }) => [...hits.keys()]));
  return new Map(
    [...names].map((name) => [
      name,
      distinctBy(
        found.flatMap(({ hits }) => hits.get(name) ?? []),
        ({ id }) => id,
      ),
    ]),
  );
}

/** The first of each key. */
function distinctBy<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
