/**
 * Turns the match and the signals of a memory into the components `vector` and `keyword`, pure: how surely the memory
 * answers, by meaning and by words. Each signal multiplies the odds of both, as in Bayes' rule, so it raises a match
 * and never replaces one: a memory that has nothing in common with the query stays at 0.
 */
import { oncePerObject } from '../../../shared/kernel/once-per-object.js';
import type { Components, Match, Signals } from '../candidate.js';

export const NO_SIGNALS: Signals = {
  standing: 0,
  lexical: 0,
  neighbours: 0,
  session: 0,
  subject: 0,
  date: 0,
  role: 0,
  verbosity: 0,
  question: 0,
};

type Support = Omit<Signals, 'lexical' | 'standing'>;

/** The coefficients are differences of log-odds. */
export type EvidenceModel = {
  /** They are added to the log-odds of the cosine; `standing` is of its place among those of the pool. */
  readonly vector: { readonly base: number; readonly standing: number };
  /** `slope` is of the share of the words, `direct` of a match without regard to other words. */
  readonly keyword: {
    readonly slope: number;
    readonly base: number;
    readonly lexical: number;
    readonly direct: number;
  };
  /** What each signal adds to both; negative for signals that speak against a memory. */
  readonly support: Readonly<Record<keyof Support, number>>;
  /** What a memory without the identifier of the query loses in both, when another memory has it. */
  readonly identifier: number;
  /** The size of the pools on which the model was fitted. The fewer candidates there are, the likelier is each. */
  readonly pool: { readonly size: number; readonly exponent: number };
};

type Evidence = {
  readonly match: Match;
  readonly signals: Signals;
  /** From 0 to 1, see `directMatch`. */
  readonly direct: number;
  /** The size of the pool. */
  readonly candidates: number;
};

export function modelledComponents(
  { match: { similarity, words, identifier = 1 }, signals, direct, candidates }: Evidence,
  model: EvidenceModel,
): Pick<Components, 'vector' | 'keyword'> {
  const { size, exponent } = model.pool;
  const prior = exponent * Math.max(0, Math.log(size / candidates));
  const support = prior + supportOf(signals, model) - model.identifier * (1 - identifier);
  const { vector, keyword } = model;
  const byMeaning = logOdds(similarity) + vector.base + vector.standing * signals.standing;
  const byWords = keyword.slope * words + keyword.base + keyword.lexical * signals.lexical + keyword.direct * direct;
  return {
    vector: similarity <= 0 ? 0 : probability(byMeaning + support),
    keyword: words <= 0 ? 0 : probability(byWords + support),
  };
}

const entriesOf = oncePerObject(
  (support: EvidenceModel['support']) => Object.entries(support) as [keyof Support, number][],
);

function supportOf(signals: Signals, { support }: EvidenceModel): number {
  return entriesOf(support).reduce((sum, [name, coefficient]) => sum + coefficient * signals[name], 0);
}

/** A cosine of 1 has no finite odds. */
const CERTAIN = 1 - 1e-6;

export function logOdds(share: number): number {
  const bounded = Math.min(CERTAIN, Math.max(1 - CERTAIN, share));
  return Math.log(bounded / (1 - bounded));
}

function probability(logit: number): number {
  return 1 / (1 + Math.exp(-logit));
}
