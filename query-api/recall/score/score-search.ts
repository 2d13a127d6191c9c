/**
 * The scorer, pure: the candidates of one search in one pool, with the signals of the pool and the probability that
 * each one answers. A memory that a later stage adds gets the score that it would have if the searches had found it.
 */
import { mapPaced } from '../../../shared/kernel/concurrency/paced.js';
import type { Scoring } from '../../config.js';
import type { HydratedCandidate, ScoredCandidate } from '../candidate.js';
import type { Hydrated } from '../hydrate/hydrate.js';
import { weighedMatch } from './match-points.js';
import { createCandidateScorer, type ScoreCandidates } from './score-candidates.js';
import { createSignals } from './signals/signals.js';
import type { TermText } from './term-text.js';

/** The result of one search. */
export type ScoredSearch = Omit<Hydrated, 'current'> & { readonly scored: readonly ScoredCandidate[] };

export type ScoreDependencies = { readonly config: { readonly scoring: Scoring }; readonly termText: TermText };

/** The score stage: one result per search, in their order. Each keeps the order of its candidates. */
export function createScore(
  dependencies: ScoreDependencies,
): (hydrated: readonly Hydrated[]) => Promise<readonly ScoredSearch[]> {
  const score = createSearchScorer(dependencies);
  return (hydrated) =>
    mapPaced(hydrated, ({ current, ...found }) => ({ ...found, scored: score(current, found.search) }));
}

/** Keeps the order of the candidates. */
export function createSearchScorer({ config: { scoring }, termText }: ScoreDependencies): ScoreCandidates {
  return createCandidateScorer(scoring, termText, createSignals(scoring, termText));
}

/** Scores added memories by the searches of the recall, on the scale of their merged results. */
export type ScoreAdded = (
  added: readonly HydratedCandidate[],
  searches: readonly ScoredSearch[],
) => readonly ScoredCandidate[];

/**
 * One result per added memory, in their order: its best score of all searches. Scores the pool of a search again, with
 * the added memories in it. They get signals only if the candidates of the search have signals, because a search with
 * one candidate has none.
 */
export function createAddedScorer(dependencies: ScoreDependencies): ScoreAdded {
  const { scoring } = dependencies.config;
  const scoreWithSignals = createSearchScorer(dependencies);
  const scoreWithoutSignals = createCandidateScorer(scoring, dependencies.termText);
  return (added, searches) => {
    if (added.length === 0) return [];
    const bySearch = searches.map((search) => scoreInPool(added, search));
    return added.flatMap((_, index) => best(bySearch.flatMap((scored) => scored[index] ?? [])));
  };

  /** No memory is in the pool twice, because then it would count towards its own rarity. */
  function scoreInPool(
    added: readonly HydratedCandidate[],
    { scored, search }: ScoredSearch,
  ): readonly ScoredCandidate[] {
    const evidence = new Map(scored.map((candidate) => [candidate.memory.id, candidate.evidence]));
    const ids = new Set(added.map(({ memory }) => memory.id));
    const others = scored.filter(({ memory }) => !ids.has(memory.id));
    // A memory that the search found as well keeps the evidence that it has there.
    const own = added.map((one) => ({ ...one, evidence: [...one.evidence, ...(evidence.get(one.memory.id) ?? [])] }));
    const hasSignals = scored.some(({ features }) => features.lexical !== undefined);
    const score = hasSignals ? scoreWithSignals : scoreWithoutSignals;
    return score([...others, ...own], search)
      .slice(others.length)
      .map((candidate) => ({
        ...weighedMatch(candidate, search.weight, scoring.weights),
        scoredBy: { query: search.query, weight: search.weight, hasFound: false },
      }));
  }
}

function best([first, ...others]: readonly ScoredCandidate[]): readonly ScoredCandidate[] {
  return first ? [others.reduce((one, other) => (other.score > one.score ? other : one), first)] : [];
}
