/**
 * The fitted coefficients of a recall, beyond the weights that the contract names. `npm run bench:fit` fits the
 * signals, and `npm run bench:calibrate` then fits `match` to the new scores. Raise the version when one of them
 * changes.
 */
import type { Signals } from '../candidate.js';

export type Feature = 'base' | 'known_terms' | 'log_candidates' | 'points' | 'vector' | 'sessions' | 'session_points';
export type Coefficients = Partial<Record<Feature, number>>;
export type ModelName = 'words' | 'meaning';
export type MatchModels = Readonly<Record<ModelName, Coefficients>>;

type Fitted = {
  readonly version: number;
  /** The weight of an identifier of the query that a memory contains as a whole. */
  readonly identifier: number;
  /** The weight of each signal; 0 switches it off. */
  readonly signals: Signals;
  readonly match: MatchModels;
  /** A recall says `nothing_fits` when the match probability of every result is lower. */
  readonly fitProbability: number;
};

export const FITTED: Fitted = {
  version: 1,
  identifier: 1.5,
  signals: {
    lexical: 0.55,
    feedback: 0.2,
    neighbours: 0.7,
    session: 0.56,
    subject: 0.52,
    date: 0.73,
    role: 0.4,
    substance: 0.04,
    verbosity: 0.3,
    question: 0.34,
  },
  match: {
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
  },
  fitProbability: 0.015,
};
