/**
 * The score stage, pure: scores the candidates of every search, then adjusts the scores by the signals of the other
 * candidates and estimates how probably each one answers.
 */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';
import type { Hydrated } from '../hydrate/hydrate.js';
import { createCandidateScorer } from './score-candidates.js';
import { createSignals } from './signals/signals.js';
import type { TermText } from './term-text.js';

/** The result of one search. */
export type ScoredSearch = Omit<Hydrated, 'current'> & { readonly scored: readonly ScoredCandidate[] };

type Dependencies = {
  readonly config: { readonly scoring: Scoring };
  readonly termText: TermText;
};

/** One result per search, in their order. */
export function createScore({
  config,
  termText,
}: Dependencies): (hydrated: readonly Hydrated[]) => readonly ScoredSearch[] {
  const score = createCandidateScorer(config.scoring, termText, createSignals(config.scoring, termText));
  return (hydrated) => hydrated.map(({ current, ...result }) => ({ ...result, scored: score(current, result.search) }));
}
