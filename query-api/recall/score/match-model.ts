/**
 * The model behind `match_probability`, pure: two logistic regressions over the features of a candidate. All
 * coefficients are here. `npm run bench:calibrate` fits them to the weights of the score: after a change of weights, run
 * it and copy the coefficients that it prints.
 */
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Components, MatchEstimate } from '../candidate.js';

export type MatchInput = Omit<MatchEstimate, 'probability'> &
  Pick<Components, 'vector' | 'keyword' | 'metadata' | 'exact' | 'tag'>;

export type ModelName = 'words' | 'meaning';
export type Coefficients = Partial<Record<keyof typeof FEATURES, number>>;
export type MatchModels = Readonly<Record<ModelName, Coefficients>>;

export const MATCH_MODELS: MatchModels = {
  words: {
    base: -7.1,
    known_terms: 2.07,
    log_candidates: -0.58,
    points: 4.23,
    vector: 2.17,
    sessions: -2.11,
    session_points: -0.86,
  },
  meaning: { base: -8.45, vector: 8.95 },
};

const FEATURES = {
  base: () => 1,
  known_terms: ({ known_terms: knownTerms }: MatchInput) => knownTerms,
  /** The fewer candidates, the more probable is each of them. */
  log_candidates: ({ candidates }: MatchInput) => Math.log(candidates),
  points: ({ points }: MatchInput) => points,
  vector: ({ vector }: MatchInput) => vector,
  /** Sessions add points to the candidates around a match as well. */
  sessions: ({ sessions }: MatchInput) => Number(sessions),
  session_points: ({ sessions, points }: MatchInput) => (sessions ? points : 0),
};

/** A candidate that shares no word with the query is rated by the cosine of its vector alone. */
export function modelOf({ keyword, metadata, exact, tag }: MatchInput): ModelName {
  return keyword + metadata + exact + tag > 0 ? 'words' : 'meaning';
}

export function featureOf(name: keyof Coefficients, input: MatchInput): number {
  return FEATURES[name](input);
}

export function matchProbability(input: MatchInput, models: MatchModels = MATCH_MODELS): number {
  return probabilityBy(modelOf(input), input, models);
}

const entriesOf = oncePerObject(
  (coefficients: Coefficients) => Object.entries(coefficients) as [keyof Coefficients, number][],
);

export function probabilityBy(model: ModelName, input: MatchInput, models: MatchModels = MATCH_MODELS): number {
  const logit = entriesOf(models[model]).reduce(
    (sum, [name, coefficient]) => sum + coefficient * featureOf(name, input),
    0,
  );
  return 1 / (1 + Math.exp(-logit));
}
