/**
 * The score stage, pure: scores the candidates of every search, then adjusts the scores by the signals of the other
 * candidates and estimates how probably each one answers.
 */
import type { Scoring } from '../../config.js';
import type { HydratedCandidate, ScoredCandidate } from '../candidate.js';
import type { Hydrated } from '../hydrate/hydrate.js';
import type { Search } from '../plan/recall-plan.js';
import { createCandidateScorer } from './score-candidates.js';
import type { WeightedTerm } from './signals/lexical-matches.js';
import { createSignals } from './signals/signals.js';
import type { TermText } from './term-text.js';

/** The result of one search. */
export type ScoredSearch = Omit<Hydrated, 'current'> & { readonly scored: readonly ScoredCandidate[] };

type Dependencies = {
  readonly config: { readonly scoring: Scoring };
  readonly termText: TermText;
};

/** One result per search, in their order. */
export function createScore(dependencies: Dependencies): (hydrated: readonly Hydrated[]) => readonly ScoredSearch[] {
  const score = createSearchScorer(dependencies);
  return (hydrated) => hydrated.map(({ current, ...result }) => ({ ...result, scored: score(current, result.search) }));
}

/** `feedback`: the rare words of the best candidates; none before the second search. */
export type ScoreSearch = (
  candidates: readonly HydratedCandidate[],
  search: Search,
  feedback?: readonly WeightedTerm[],
) => readonly ScoredCandidate[];

/** Scores the candidates of one search with their signals. */
export function createSearchScorer({ config: { scoring }, termText }: Dependencies): ScoreSearch {
  const addSignals = createSignals(scoring, termText);
  return (candidates, search, feedback = []) =>
    createCandidateScorer(scoring, termText, (own, query) => addSignals(own, query, feedback))(candidates, search);
}
