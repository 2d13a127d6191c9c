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
  version: 2,
  identifier: 1.5,
  signals: {
    lexical: 0.13,
    feedback: 0.1,
    neighbours: 0.36,
    session: 0.28,
    subject: 0.24,
    date: 0.41,
    role: 0.24,
    verbosity: 0.18,
    question: 0.17,
  },
  match: {
    words: {
      base: -6.31,
      known_terms: 0.49,
      log_candidates: -0.49,
      points: 6.97,
      vector: 4.52,
      sessions: -1.74,
      session_points: -1.39,
    },
    meaning: { base: -8.7, vector: 14.04 },
  },
  fitProbability: 0.02,
};
