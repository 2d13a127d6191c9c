/** The tables of `bench:fit`: recall@10 on the left-out conversations, and the weights. */
import { FITTED } from '../../../query-api/recall/score/fitted-weights.js';
import { tableLines } from '../measuring/timing.js';
import { categoriesOf, membersOf, percent, recallAt } from '../quality/figures.js';
import { COEFFICIENTS } from './coefficients.js';
import { type FitQuestion, foldOf, rankedBy, rankedByService } from './cross-validate.js';

const DEPTH = 10;

export type Fitted = {
  /** The coefficients of the service. */
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

/** A row for each coefficient: its default, its fitted value, and its range over the folds. */
export function weightLines({ defaults, byFold, onEverything }: Fitted): readonly string[] {
  const rows = COEFFICIENTS.map((name, at) => {
    const range = byFold.map((weights) => weights[at] ?? 0);
    const numbers = [defaults[at] ?? 0, onEverything[at] ?? 0, Math.min(...range), Math.max(...range)];
    return [name, ...numbers.map((weight) => weight.toFixed(2))];
  });
  return tableLines([
    ['coefficient', `version ${FITTED.version}`, 'fitted', 'least of a fold', 'most of a fold'],
    ...rows,
  ]);
}
