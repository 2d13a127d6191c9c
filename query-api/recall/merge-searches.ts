/** Brings what the searches of one recall found together, pure: everything that may be answered, scored on one scale. */
import type { Scoring } from '../config.js';
import type { Degraded, Hit, ScoredCandidate, SourceName } from './candidate.js';
import type { RecallPlan } from './plan.js';
import type { Search } from './plan-searches.js';
import type { Suppression } from './resolve-states.js';
import { searchWeights } from './search-weights.js';
import { select } from './select.js';

export type Found = {
  readonly search: Search;
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly degraded: readonly Degraded[];
  readonly suppressed: readonly Suppression[];
  readonly scored: readonly ScoredCandidate[];
};

export type Merged = {
  /** A memory once for each search that found it; `select` keeps the one with the best score. */
  readonly candidates: readonly ScoredCandidate[];
  /** How many results of single searches were those of others as well. */
  readonly dedupRemoved: number;
} & Omit<Found, 'search' | 'scored'>;

/** One search alone keeps its scores, and all of its candidates unless it is to bring fewer than the limit. */
export function mergeSearches(found: readonly Found[], plan: RecallPlan, weights: Scoring['weights']): Merged {
  const scales = searchWeights(
    found.map(({ search, scored }) => ({
      weight: search.weight,
      matches: scored.map((candidate) => matchOf(candidate, weights)),
    })),
  );
  const brought = found.map(({ search, scored }, index) => {
    const weight = scales[index] ?? 0;
    const kept = found.length > 1 || plan.perQueryLimit < plan.limit ? firstOf(scored, plan) : scored;
    return kept.map((candidate) => ({
      ...candidate,
      score: candidate.score - (1 - weight) * matchOf(candidate, weights),
      foundBy: { query: search.query, weight },
    }));
  });
  const candidates = brought.flat();
  return {
    candidates,
    dedupRemoved:
      found.length === 1 ? 0 : sum(brought.map((some) => distinct(some, plan))) - distinct(candidates, plan),
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

/** With the context, what a memory is worth whatever is asked; the rest of its score is how well it matches. */
const WORTH = ['importance', 'confidence', 'recency', 'relevance'] as const;

function matchOf({ components, score }: ScoredCandidate, weights: Scoring['weights']): number {
  return score - components.context - sum(WORTH.map((name) => weights[name] * components[name]));
}

/** Those that the search alone would answer, with everything that merges into them. */
function firstOf(
  scored: readonly ScoredCandidate[],
  { sort, profile, perQueryLimit }: RecallPlan,
): readonly ScoredCandidate[] {
  const { results } = select(scored, { minScore: 0, sort, profile, limit: perQueryLimit });
  const ids = new Set(results.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  return scored.filter(({ memory }) => ids.has(memory.id));
}

function distinct(candidates: readonly ScoredCandidate[], { sort, profile }: RecallPlan): number {
  return select(candidates, { minScore: 0, sort, profile, limit: Infinity }).results.length;
}

/** By source, each memory once. */
function mergeHits(found: readonly Found[]): Found['hits'] {
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
