/**
 * The score stage, pure: scores the candidates of every search, then adjusts the scores by the signals of the other
 * candidates.
 */
import type { Scoring } from '../../config.js';
import type { ScoredCandidate } from '../candidate.js';
import type { Hydrated } from '../hydrate/hydrate.js';
import type { ScoreCandidates } from './score-candidates.js';
import { createSignals } from './signals/signals.js';
import type { TermText } from './term-text.js';

/** The result of one search. */
export type ScoredSearch = Omit<Hydrated, 'current'> & { readonly scored: readonly ScoredCandidate[] };

type Dependencies = {
  readonly config: { readonly scoring: Scoring };
  readonly score: ScoreCandidates;
  readonly termText: TermText;
};

/** One result per search, in their order. */
export function createScore({
  config,
  score,
  termText,
}: Dependencies): (hydrated: readonly Hydrated[]) => readonly ScoredSearch[] {
  const addSignals = createSignals(config.scoring, termText);
  return (hydrated) =>
    hydrated.map(({ current, ...result }) => ({
      ...result,
      scored: addSignals(score(current, result.search), result.search),
    }));
}
