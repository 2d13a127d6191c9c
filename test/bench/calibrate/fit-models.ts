/**
 * Fits the models of `match_probability` on answers, and estimates answers by models that were fitted without their
 * conversation.
 */
import {
  type Coefficients,
  type Feature,
  FITTED,
  type MatchModels,
  type ModelName,
} from '../../../query-api/recall/score/fitted-weights.js';
import {
  featureOf,
  type MatchInput,
  matchProbability,
  modelOf,
} from '../../../query-api/recall/score/match-probability.js';
import { foldOf, FOLDS } from '../fit/cross-validate.js';
import type { JudgedPair } from '../quality/nothing-fits.js';
import { fitLogistic } from './fit-logistic.js';
import type { Variant } from './variants.js';

/** The answers to one question: within the part of a conversation that holds its evidence, and within another part. */
export type CalibrationQuestion = {
  readonly corpus: string;
  readonly variant: Variant;
  /** The position of its conversation in the file. */
  readonly conversation: number;
  readonly evidence: readonly string[];
  readonly own: readonly CalibrationResult[];
  readonly other: readonly CalibrationResult[];
};

export type CalibrationResult = { readonly source: string; readonly input: MatchInput };

/** Only the coefficients that the service has are fitted. */
export function fitModels(questions: readonly CalibrationQuestion[]): MatchModels {
  return { words: fitModel('words', questions), meaning: fitModel('meaning', questions) };
}

/** One per fold, fitted on the conversations of the other folds. */
export function modelsByFold(questions: readonly CalibrationQuestion[]): readonly MatchModels[] {
  return Array.from({ length: FOLDS }, (_, fold) =>
    fitModels(questions.filter((question) => foldOf(question) !== fold)),
  );
}

/** The answers of a question with the probabilities of the models for its fold. */
export function estimate(question: CalibrationQuestion, byFold: readonly MatchModels[]): JudgedPair {
  const models = byFold[foldOf(question)] ?? FITTED.match;
  const judged = (results: readonly CalibrationResult[]) => ({
    results: results.map(({ source, input }) => ({ source, matchProbability: matchProbability(input, models) })),
  });
  return { evidence: question.evidence, own: judged(question.own), other: judged(question.other) };
}

function fitModel(model: ModelName, questions: readonly CalibrationQuestion[]): Coefficients {
  const names = Object.keys(FITTED.match[model]) as Feature[];
  const counts = new Map<string, number>();
  const groupOf = ({ corpus, variant }: CalibrationQuestion): string => `${corpus}: ${variant.name}`;
  for (const question of questions) counts.set(groupOf(question), (counts.get(groupOf(question)) ?? 0) + 1);
  const samples = questions.flatMap((question) => {
    const { evidence, own, other } = question;
    // With words, each variant of each corpus counts the same, and within it each question. Only 43 of 8,240 results
    // without a shared word are evidence: with such weights, those of the smallest groups would decide.
    const weight = model === 'words' ? 1 / (counts.get(groupOf(question)) ?? 1) : 1;
    return [
      ...own.map(({ source, input }) => ({ input, isPositive: evidence.includes(source), weight })),
      ...other.map(({ input }) => ({ input, isPositive: false, weight })),
    ];
  });
  const used = samples.filter(({ input }) => modelOf(input) === model);
  const fitted = fitLogistic(
    used.map(({ input, ...sample }) => ({ ...sample, features: names.map((name) => featureOf(name, input)) })),
  );
  return Object.fromEntries(names.map((name, index) => [name, fitted[index] ?? 0]));
}
