/** The coefficients of the evidence model as one vector, and what each of them is multiplied by. */
import type { Match, Signals } from '../../../query-api/recall/candidate.js';
import { type EvidenceModel, logOdds } from '../../../query-api/recall/score/evidence-model.js';

export type Features = Match & Partial<Signals>;

const SIGNALS = ['neighbours', 'session', 'subject', 'date', 'role', 'question', 'verbosity'] as const;
const SUBTRACTED: ReadonlySet<string> = new Set(['question', 'verbosity']);

export const COEFFICIENTS: readonly string[] = [
  'vector base',
  'vector standing',
  'keyword slope',
  'keyword base',
  'keyword lexical',
  ...SIGNALS,
];

/** The range of each coefficient. */
export const BOUNDS: readonly (readonly [number, number])[] = COEFFICIENTS.map((name) => {
  if (name.endsWith('base')) return [-Infinity, Infinity];
  return SUBTRACTED.has(name) ? [-Infinity, 0] : [0, Infinity];
});

/** Log-odds: a part that the fit does not change, and what the coefficients are multiplied by. */
export type LogOdds = { readonly fixed: number; readonly features: readonly number[] };

/** One result. */
export type FitResult = {
  /** Null for a component that is 0 whatever the coefficients are. */
  readonly vector: LogOdds | null;
  readonly keyword: LogOdds | null;
  /** The part of the score that the fit does not change. */
  readonly others: number;
};

export function fitResultOf(features: Features, others: number): FitResult {
  const { similarity, words, standing = 0, lexical = 0 } = features;
  const signals = SIGNALS.map((name) => features[name] ?? 0);
  return {
    vector: similarity > 0 ? { fixed: logOdds(similarity), features: [1, standing, 0, 0, 0, ...signals] } : null,
    keyword: words > 0 ? { fixed: 0, features: [0, 0, words, 1, lexical, ...signals] } : null,
    others,
  };
}

/** The coefficients of a model, in the order of `COEFFICIENTS`. */
export function coefficientsOf({ vector, keyword, support }: EvidenceModel): readonly number[] {
  const { slope, base, lexical } = keyword;
  return [vector.base, vector.standing, slope, base, lexical, ...SIGNALS.map((name) => support[name])];
}
