/**
 * Fits the model of `match_probability` on answers, and estimates answers by models that were fitted without their
 * conversation.
 */
import { type Feature, FITTED, type ProbabilityModel } from '../../../query-api/recall/score/fitted-weights.js';
import {
  FEATURE_NAMES,
  featureOf,
  type MatchInput,
  matchProbability,
} from '../../../query-api/recall/score/match-probability.js';
import { foldOf, FOLDS } from '../fit/cross-validate.js';
import type { EstimatedPair } from '../quality/nothing-fits.js';
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

/** One per fold, fitted on the conversations of the other folds. */
export function modelsByFold(questions: readonly CalibrationQuestion[]): readonly ProbabilityModel[] {
  return Array.from({ length: FOLDS }, (_, fold) =>
    fitModel(questions.filter((question) => foldOf(question) !== fold)),
  );
}

/** The answers of a question with the probabilities of the models for its fold. */
export function estimate(question: CalibrationQuestion, byFold: readonly ProbabilityModel[]): EstimatedPair {
  const models = byFold[foldOf(question)] ?? FITTED.probability;
  const estimated = (results: readonly CalibrationResult[]) => ({
    results: results.map(({ source, input }) => ({ source, matchProbability: matchProbability(input, models) })),
  });
  return { evidence: question.evidence, own: estimated(question.own), other: estimated(question.other) };
}

/** Each variant of each corpus counts the same, and within it each question. */
export function fitModel(questions: readonly CalibrationQuestion[]): ProbabilityModel {
  const counts = new Map<string, number>();
  const groupOf = ({ corpus, variant }: CalibrationQuestion): string => `${corpus}: ${variant.name}`;
  for (const question of questions) counts.set(groupOf(question), (counts.get(groupOf(question)) ?? 0) + 1);
  const samples = questions.flatMap((question) => {
    const { evidence, own, other } = question;
    const weight = 1 / (counts.get(groupOf(question)) ?? 1);
    const featuresOf = (input: MatchInput): readonly number[] => FEATURE_NAMES.map((name) => featureOf(name, input));
    return [
      ...own.map(({ source, input }) => ({
        features: featuresOf(input),
        isPositive: evidence.includes(source),
        weight,
      })),
      ...other.map(({ input }) => ({ features: featuresOf(input), isPositive: false, weight })),
    ];
  });
  const fitted = fitLogistic(samples);
  return Object.fromEntries(FEATURE_NAMES.map((name, index) => [name, fitted[index] ?? 0])) as Record<Feature, number>;
}
