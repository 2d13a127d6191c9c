/**
 * Cross-validation by conversation: the weights that rank a conversation are fitted without it. Also ranks results with
 * given weights.
 */
import type { RankedQuestion } from '../quality/figures.js';
import type { FitResult } from './coefficients.js';
import { fitWeights, type Listwise, scoreOf } from './fit-weights.js';

/** The questions of one corpus with the results of recall, in the order of the service. */
export type FitQuestion = Pick<RankedQuestion, 'category' | 'evidence'> & {
  /** The position of its conversation in the file. */
  readonly conversation: number;
  readonly results: readonly { readonly source: string; readonly parts: FitResult }[];
};

export const FOLDS = 4;

/** The conversations of each corpus are assigned to the folds in turn. */
export function foldOf({ conversation }: Pick<FitQuestion, 'conversation'>): number {
  return conversation % FOLDS;
}

/** The weights of each fold, fitted on the other folds of all corpora. */
export function weightsByFold(corpora: readonly (readonly FitQuestion[])[]): readonly (readonly number[])[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    const others = corpora.map((questions) => questions.filter((question) => foldOf(question) !== fold));
    return fitOn(others);
  });
}

export function fitOn(corpora: readonly (readonly FitQuestion[])[]): readonly number[] {
  return fitWeights(corpora.map((questions) => questions.map(listwise)));
}

/** Ranks the results by the weights. A source takes one place, that of its best result. */
export function rankedBy({ category, evidence, results }: FitQuestion, weights: readonly number[]): RankedQuestion {
  const scored = results.map(({ source, parts }) => ({ source, score: scoreOf(parts, weights) }));
  const found = scored.sort((one, other) => other.score - one.score).map(({ source }) => source);
  return { category, evidence, found: [...new Set(found)] };
}

/** Ranks the results in the order of the service. A source takes one place. */
export function rankedByService({ category, evidence, results }: FitQuestion): RankedQuestion {
  return { category, evidence, found: [...new Set(results.map(({ source }) => source))] };
}

function listwise({ evidence, results }: FitQuestion): Listwise {
  return {
    results: results.map(({ parts }) => parts),
    positives: results.flatMap(({ source }, index) => (evidence.includes(source) ? [index] : [])),
  };
}
