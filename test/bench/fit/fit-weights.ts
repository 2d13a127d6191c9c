/**
 * Fits the evidence model listwise: the probability of a result among the results of its question is proportional to
 * `exp(SHARPNESS * score)`, where the score is the sum of the contract, and the coefficients maximize the mean
 * log-probability of the evidence. Projected gradient descent keeps each coefficient within its bounds.
 */
import { BOUNDS, type FitResult, type LogOdds } from './coefficients.js';

/** One question. */
export type Listwise = {
  readonly results: readonly FitResult[];
  /** Indexes of the results that are evidence. */
  readonly positives: readonly number[];
};

/** The weight that the contract gives both components. */
export const WEIGHT = 0.35;
/** The best of a free fit; fixed, because the loss has a long valley along it. */
export const SHARPNESS = 14;
const L2 = 1e-3;
const ITERATION_LIMIT = 5_000;
/** Largest gradient at the end. */
const TOLERANCE = 1e-5;
const STEP_GROWTH = 1.5;
/** Near the minimum, losses differ by less than floating point shows. */
const ROUNDING = 1e-12;

/**
 * Each corpus has the same total weight; within a corpus each question with evidence among its results has the same
 * weight.
 */
export function fitWeights(corpora: readonly (readonly Listwise[])[]): readonly number[] {
  const usable = corpora
    .map((questions) => questions.filter(({ positives }) => positives.length > 0))
    .filter(({ length }) => length > 0);
  if (usable.length === 0) throw new Error('No question has evidence among its results: fit more conversations');
  let weights: readonly number[] = BOUNDS.map(() => 0);
  let loss = lossOf(usable, weights);
  let step = 1;
  for (let iteration = 0; iteration < ITERATION_LIMIT; iteration += 1) {
    const next = weights.map((weight, index) => within(weight - step * (loss.gradient[index] ?? 0), BOUNDS[index]));
    const move = next.map((weight, index) => weight - (weights[index] ?? 0));
    if (Math.max(...move.map(Math.abs)) < TOLERANCE * step) return next;
    const nextLoss = lossOf(usable, next);
    if (nextLoss.value > loss.value + dot(loss.gradient, move) + dot(move, move) / (2 * step) + ROUNDING) {
      // The step is too long for the curvature.
      step /= 2;
    } else {
      weights = next;
      loss = nextLoss;
      step *= STEP_GROWTH;
    }
  }
  throw new Error(`The fit did not converge within ${ITERATION_LIMIT} iterations: raise the limit`);
}

function within(weight: number, [least, most]: readonly [number, number] = [-Infinity, Infinity]): number {
  return Math.min(most, Math.max(least, weight));
}

export function scoreOf({ vector, keyword, others }: FitResult, weights: readonly number[]): number {
  return WEIGHT * (probabilityOf(vector, weights) + probabilityOf(keyword, weights)) + others;
}

function probabilityOf(logOdds: LogOdds | null, weights: readonly number[]): number {
  return logOdds === null ? 0 : 1 / (1 + Math.exp(-logOdds.fixed - dot(logOdds.features, weights)));
}

type Loss = { readonly value: number; readonly gradient: readonly number[] };

/**
 * The mean over the corpora of the mean over their questions of the negative log-probability of the evidence, and the
 * L2 penalty.
 */
function lossOf(corpora: readonly (readonly Listwise[])[], weights: readonly number[]): Loss {
  let value = L2 * dot(weights, weights);
  const gradient = weights.map((weight) => 2 * L2 * weight);
  for (const questions of corpora) {
    const share = 1 / (corpora.length * questions.length);
    for (const { results, positives } of questions) {
      const scores = results.map((result) => SHARPNESS * scoreOf(result, weights));
      const best = Math.max(...scores);
      const exponentials = scores.map((score) => Math.exp(score - best));
      const total = exponentials.reduce((sum, one) => sum + one, 0);
      value += share * (best + Math.log(total));
      for (const index of positives) value -= (share * (scores[index] ?? 0)) / positives.length;
      results.forEach((result, index) => {
        const excess = (exponentials[index] ?? 0) / total - (positives.includes(index) ? 1 / positives.length : 0);
        addSlopes(gradient, { result, weights, factor: share * excess });
      });
    }
  }
  return { value, gradient };
}

type Slopes = { readonly result: FitResult; readonly weights: readonly number[]; readonly factor: number };

/** Adds `factor` times the derivative of the sharpened score, in place. */
function addSlopes(gradient: number[], { result: { vector, keyword }, weights, factor }: Slopes): void {
  for (const logOdds of [vector, keyword]) {
    if (logOdds === null) continue;
    const probability = probabilityOf(logOdds, weights);
    add(gradient, logOdds.features, factor * SHARPNESS * WEIGHT * probability * (1 - probability));
  }
}

/** Adds `factor` times the values to the sum, in place. */
export function add(sum: number[], values: readonly number[], factor: number): void {
  for (let index = 0; index < sum.length; index += 1) sum[index] = (sum[index] ?? 0) + factor * (values[index] ?? 0);
}

export function dot(one: readonly number[], other: readonly number[]): number {
  return one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);
}
