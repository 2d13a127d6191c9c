/**
 * The fitted coefficients of a recall. `npm run bench:fit` fits `evidence`, with the weights of the contract held
 * fixed, except `direct`, `identifier` and `pool`, which are chosen; `npm run bench:calibrate` then fits `probability`
 * to the new scores. Raise the version when one of them changes.
 */
import type { EvidenceModel } from './evidence-model.js';

export type Feature = 'base' | 'known_terms' | 'sessions' | 'points' | 'wordless' | 'wordless_points';
export type ProbabilityModel = Readonly<Record<Feature, number>>;

type Fitted = {
  readonly version: number;
  readonly evidence: EvidenceModel;
  readonly probability: ProbabilityModel;
  /** A recall says `nothing_fits` when the match probability of every result is lower. */
  readonly fitProbability: number;
};

export const FITTED: Fitted = {
  version: 3,
  evidence: {
    vector: { base: -2.63, standing: 0.87 },
    keyword: { slope: 1.5, base: -2.71, lexical: 0.68, direct: 3 },
    support: {
      neighbours: 1.38,
      session: 0.97,
      subject: 1.07,
      date: 1.5,
      role: 0.98,
      question: -0.86,
      verbosity: -0.82,
    },
    identifier: 4,
    pool: { size: 150, exponent: 0.3 },
  },
  probability: {
    base: -5.29,
    known_terms: 0.59,
    sessions: -2.71,
    points: 12.53,
    wordless: 0.91,
    wordless_points: 25.31,
  },
  fitProbability: 0.02,
};
