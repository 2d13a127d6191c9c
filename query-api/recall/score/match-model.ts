/** The model behind `match_probability`, pure: two logistic regressions over the features of a candidate. */
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Components, MatchEstimate } from '../candidate.js';
import { type Coefficients, type Feature, FITTED, type MatchModels, type ModelName } from './fitted-weights.js';

export type MatchInput = Omit<MatchEstimate, 'probability'> &
  Pick<Components, 'vector' | 'keyword' | 'metadata' | 'exact' | 'tag'>;

const FEATURES: Readonly<Record<Feature, (input: MatchInput) => number>> = {
  base: () => 1,
  known_terms: ({ known_terms: knownTerms }) => knownTerms,
  /** The fewer candidates, the more probable is each of them. */
  log_candidates: ({ candidates }) => Math.log(candidates),
  points: ({ points }) => points,
  vector: ({ vector }) => vector,
  /** Sessions add points to the candidates around a match as well. */
  sessions: ({ sessions }) => Number(sessions),
  session_points: ({ sessions, points }) => (sessions ? points : 0),
};

/** A candidate that shares no word with the query is rated by the cosine of its vector alone. */
export function modelOf({ keyword, metadata, exact, tag }: MatchInput): ModelName {
  return keyword + metadata + exact + tag > 0 ? 'words' : 'meaning';
}

export function featureOf(name: Feature, input: MatchInput): number {
  return FEATURES[name](input);
}

export function matchProbability(input: MatchInput, models: MatchModels = FITTED.match): number {
  return probabilityBy(modelOf(input), input, models);
}

const entriesOf = oncePerObject((coefficients: Coefficients) => Object.entries(coefficients) as [Feature, number][]);

export function probabilityBy(model: ModelName, input: MatchInput, models: MatchModels = FITTED.match): number {
  const logit = entriesOf(models[model]).reduce(
    (sum, [name, coefficient]) => sum + coefficient * featureOf(name, input),
    0,
  );
  return 1 / (1 + Math.exp(-logit));
}
