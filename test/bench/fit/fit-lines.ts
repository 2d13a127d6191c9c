/** The tables of `bench:fit`: recall@10 on the left-out conversations, and the weights. */
import { FITTED } from '../../../query-api/recall/score/fitted-weights.js';
import { tableLines } from '../measuring/timing.js';
import { categoriesOf, membersOf, percent, recallAt } from '../quality/figures.js';
import { COEFFICIENTS, scaledWeights } from './coefficients.js';
import { type FitQuestion, foldOf, rankedBy, rankedByService } from './cross-validate.js';

const DEPTH = 10;

export type Fitted = {
  /** The weights of the configuration, one for each coefficient. */
  readonly defaults: readonly number[];
  readonly byFold: readonly (readonly number[])[];
  readonly onEverything: readonly number[];
};

/**
 * A row for all questions and one for each category. `service`: the order of the service. `left out`: weights fitted
 * without the conversation of the question. `fitted`: weights fitted on everything. `in reach`: the evidence among all
 * results, which no order can exceed.
 */
export function recallLines(
  questions: readonly FitQuestion[],
  { defaults, byFold, onEverything }: Fitted,
): readonly string[] {
  const orders = [
    questions.map(rankedByService),
    questions.map((question) => rankedBy(question, defaults)),
    questions.map((question) => rankedBy(question, byFold[foldOf(question)] ?? [])),
    questions.map((question) => rankedBy(question, onEverything)),
  ];
  const served = orders[0] ?? [];
  const row = (name: string): readonly string[] => [
    name,
    String(membersOf(served, name).length),
    ...orders.map((ranked) => percent(recallAt(membersOf(ranked, name), DEPTH))),
    percent(recallAt(membersOf(served, name), Infinity)),
  ];
  const head = ['recall@10', 'questions', 'service', 'defaults', 'left out', 'fitted', 'in reach'];
  return tableLines([head, ...categoriesOf(served).map(row)]);
}

/**
 * A row for each coefficient: its default, its fitted weight, and its range over the folds; all scaled to the same
 * first weight.
 */
export function weightLines({ defaults, byFold, onEverything }: Fitted): readonly string[] {
  const fitted = scaledWeights(onEverything);
  const folds = byFold.map(scaledWeights);
  const rows = COEFFICIENTS.map(({ name, isSubtracted }, at) => {
    const range = folds.map((weights) => weights[at] ?? 0);
    const numbers = [defaults[at] ?? 0, fitted[at] ?? 0, Math.min(...range), Math.max(...range)];
    return [isSubtracted ? `${name} (subtracted)` : name, ...numbers.map((weight) => weight.toFixed(3))];
  });
  return tableLines([['weight', `version ${FITTED.version}`, 'fitted', 'least of a fold', 'most of a fold'], ...rows]);
}
