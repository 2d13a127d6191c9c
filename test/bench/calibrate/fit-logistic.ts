/**
 * Fits a logistic regression by Newton's method: 70,000 samples of seven features take about ten iterations and one
 * second.
 */
import { add, dot } from '../fit/fit-weights.js';

export type Sample = {
  /** One number for each coefficient; a constant 1 gives the base. */
  readonly features: readonly number[];
  readonly isPositive: boolean;
  /** Its share of the fit, relative to the other samples; above 0. */
  readonly weight: number;
};

/** Changes no digit that matters, and keeps the coefficients finite when the samples are separable. */
const RIDGE = 1e-6;
const ITERATION_LIMIT = 100;
const HALVING_LIMIT = 30;
/** Largest change of a coefficient by the last step. */
const TOLERANCE = 1e-7;
/** Near the minimum, losses differ by less than floating point shows. */
const ROUNDING = 1e-12;

/** Minimizes the weighted mean of the negative log-probability. */
export function fitLogistic(samples: readonly Sample[]): readonly number[] {
  if (new Set(samples.map(({ isPositive }) => isPositive)).size < 2)
    throw new Error('The fit needs evidence and other results: give it more conversations');
  let point = evaluate(samples, (samples[0]?.features ?? []).map(() => 0)); // prettier-ignore
  for (let iteration = 0; iteration < ITERATION_LIMIT; iteration += 1) {
    const step = solve(point.hessian, point.gradient);
    if (Math.max(...step.map(Math.abs)) < TOLERANCE) return point.coefficients;
    point = descend(samples, point, step);
  }
  throw new Error(`The fit did not converge within ${ITERATION_LIMIT} iterations: raise the limit`);
}

type Point = {
  readonly coefficients: readonly number[];
  readonly loss: number;
  readonly gradient: readonly number[];
  readonly hessian: readonly (readonly number[])[];
};

/** Halves the step until the loss does not rise: far from the minimum, a whole step may be too long. */
function descend(samples: readonly Sample[], point: Point, step: readonly number[]): Point {
  for (let halving = 0; halving < HALVING_LIMIT; halving += 1) {
    const next = evaluate(
      samples,
      point.coefficients.map((value, index) => value - (step[index] ?? 0) / 2 ** halving),
    );
    if (next.loss <= point.loss + ROUNDING) return next;
  }
  throw new Error('No step along the direction of Newton lowers the loss: look for features that are not numbers');
}

function evaluate(samples: readonly Sample[], coefficients: readonly number[]): Point {
  const total = samples.reduce((sum, { weight }) => sum + weight, 0);
  const gradient = coefficients.map((value) => RIDGE * value);
  const hessian = coefficients.map((_, row) => coefficients.map((__, column) => (row === column ? RIDGE : 0)));
  let loss = (RIDGE / 2) * dot(coefficients, coefficients);
  for (const { features, isPositive, weight } of samples) {
    const share = weight / total;
    const logit = dot(features, coefficients);
    const probability = 1 / (1 + Math.exp(-logit));
    // log(1 + exp(x)) without overflow.
    const against = isPositive ? -logit : logit;
    loss += share * (Math.max(0, against) + Math.log1p(Math.exp(-Math.abs(logit))));
    add(gradient, features, share * (probability - (isPositive ? 1 : 0)));
    const curvature = share * probability * (1 - probability);
    hessian.forEach((row, index) => add(row, features, curvature * (features[index] ?? 0)));
  }
  return { coefficients, loss, gradient, hessian };
}

/** Gaussian elimination with partial pivoting. The ridge keeps the matrix regular. */
function solve(matrix: readonly (readonly number[])[], vector: readonly number[]): readonly number[] {
  const rows = matrix.map((row, index) => [...row, vector[index] ?? 0]);
  for (let column = 0; column < rows.length; column += 1) {
    const below = rows.slice(column).sort((one, other) => sizeAt(other, column) - sizeAt(one, column));
    rows.splice(column, below.length, ...below);
    const pivot = rows[column] ?? [];
    rows.forEach((row, index) => {
      if (index !== column) add(row, pivot, -(row[column] ?? 0) / (pivot[column] ?? 1));
    });
  }
  return rows.map((row, index) => (row.at(-1) ?? 0) / (row[index] ?? 1));
}

function sizeAt(row: readonly number[], column: number): number {
  return Math.abs(row[column] ?? 0);
}
