/** Merges the candidates of all searches of a recall, pure. */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { matchPoints, weighedMatch } from '../score/match-points.js';
import type { ScoredSearch } from '../score/score-search.js';
import { inOrder, type SelectedResult, takePlaces } from './select-results.js';

export type MergedSearches = {
  /** A memory appears once per search that found it; `selectResults` keeps the one with the best score. */
  readonly candidates: readonly ScoredCandidate[];
  /**
   * How many results of single searches were also results of other searches. Counted as if pieces of one source shared
   * no places.
   */
  readonly dedupRemoved: number;
  /** The searches with their final weights. */
  readonly scoredSearches: readonly ScoredSearch[];
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
      matches: scored.map(({ components }) => matchPoints(components, weights)),
    })),
  );
  const scoredSearches = found.map((one, index) => ({
    ...one,
    search: { ...one.search, weight: finalWeights[index] ?? 0 },
  }));
  const isCut = found.length > 1 || plan.perQueryLimit < plan.limit;
  const tops = found.map(({ scored }) => (isCut ? topOf(scored, plan) : { candidates: scored, results: [] }));
  const candidates = scoredSearches.flatMap(({ search: { query, weight } }, index) => {
    const scoredBy = { query, weight, hasFound: true };
    // Spreads take ten times longer, and a recall has hundreds of candidates.
    return (tops[index]?.candidates ?? []).map((candidate) =>
      Object.assign({}, weighedMatch(candidate, weight, weights), { scoredBy }),
    );
  });
  return {
    candidates,
    scoredSearches,
    dedupRemoved: countRepeated(
      tops.flatMap(({ results }) => results),
      plan,
    ),
    hits: mergeHits(found),
    degraded: firstOfEach(
      found.flatMap(({ degraded }) => degraded),
      ({ source, reason }) => `${source} ${reason}`,
    ),
    suppressed: firstOfEach(
      found.flatMap(({ suppressed }) => suppressed),
      ({ id }) => id,
    ),
  };
}

type Top = {
  /** The results that the search alone would have, with all candidates that merge into them or are of their sources. */
  readonly candidates: readonly ScoredCandidate[];
  /** The results that it would have if pieces of one source shared no places. */
  readonly results: readonly SelectedResult[];
};

function topOf(scored: readonly ScoredCandidate[], plan: RecallPlan): Top {
  const ordered = inOrder(
    scored.filter(({ score }) => score >= 0),
    plan,
  );
  const places = { limit: plan.perQueryLimit, profile: plan.profile };
  const distinct = takePlaces(ordered, { ...places, distinctBy: plan.distinctBy });
  const ids = new Set(
    distinct
      .flatMap((result) => [result, ...(result.sourcePieces ?? [])])
      .flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]),
  );
  return {
    candidates: scored.filter(({ memory }) => ids.has(memory.id)),
    results: plan.distinctBy === null ? distinct : takePlaces(ordered, { ...places, distinctBy: null }),
  };
}

function countRepeated(results: readonly SelectedResult[], plan: RecallPlan): number {
  const { profile } = plan;
  const distinct = takePlaces(inOrder(results, plan), { limit: Infinity, profile, distinctBy: null });
  return results.length - distinct.length;
}

/** By source, each memory once. */
function mergeHits(found: readonly ScoredSearch[]): ScoredSearch['hits'] {
  const names = new Set(found.flatMap(({ hits }) => [...hits.keys()]));
  return new Map(
    [...names].map((name) => [
      name,
      firstOfEach(
        found.flatMap(({ hits }) => hits.get(name) ?? []),
        ({ id }) => id,
      ),
    ]),
  );
}

/** The first of each key. */
function firstOfEach<T>(items: readonly T[], keyOf: (item: T) => string): readonly T[] {
  const byKey = new Map<string, T>();
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item);
  return [...byKey.values()];
}

/** One search: its weight in the plan, and how well each of its candidates matches. */
type SearchMatches = { readonly weight: number; readonly matches: readonly number[] };

/**
 * Computes the weight of the matches of each search, pure. Each query of the caller counts in full, so a memory has the
 * same score by it alone and among others. A part of a query may be only a name, which matches every other memory in
 * full: its weight depends on how clearly its best match stands out, compared with that of the query.
 */
export function searchWeights(searches: readonly SearchMatches[]): readonly number[] {
  const contrasts = searches.map(({ matches }) => contrastOf(matches));
  const highest = Math.max(...contrasts.filter((_, index) => searches[index]?.weight === 1));
  return searches.map(({ weight }, index) =>
    weight < 1 && highest > 0 ? weight * Math.min(1, (contrasts[index] ?? 0) / highest) : weight,
  );
}

/**
 * The distance between the best and the median match, as a share of the best: 1 when nothing else matches, 0 when all
 * match equally.
 */
export function contrastOf(matches: readonly number[]): number {
  const [best = 0, ...others] = [...matches].sort((one, other) => other - one);
  if (best <= 0) return 0;
  const median = others[Math.floor(others.length / 2)] ?? 0;
  return (best - Math.max(0, median)) / best;
}
