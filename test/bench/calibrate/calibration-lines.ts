/** The tables of `bench:calibrate`: the coefficients, the calibration, and what a bound keeps and refuses. */
import { FITTED, type ProbabilityModel } from '../../../query-api/recall/score/fitted-weights.js';
import { FEATURE_NAMES } from '../../../query-api/recall/score/match-probability.js';
import { tableLines } from '../measuring/timing.js';
import { percent } from '../quality/figures.js';
import { boundThatKeeps, type EstimatedPair, keptShare, refusedShare } from '../quality/nothing-fits.js';
import { estimatesOf, evidenceShare, meanEstimate } from '../quality/reliability.js';

/** A row for each coefficient: that of `fitted-weights.ts`, the fitted one, and its range over the folds. */
export function coefficientLines(fitted: ProbabilityModel, byFold: readonly ProbabilityModel[]): readonly string[] {
  const rows = FEATURE_NAMES.map((name) => {
    const [service = 0, found = 0, ...range] = [FITTED.probability, fitted, ...byFold].map((model) => model[name]);
    const numbers = [service, found, Math.min(...range), Math.max(...range)];
    return [name, ...numbers.map((value) => value.toFixed(2))];
  });
  return tableLines([
    ['coefficient', `version ${FITTED.version}`, 'fitted', 'least of a fold', 'most of a fold'],
    ...rows,
  ]);
}

const BIN_EDGES = [0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1] as const;

/** A row for each range of probability: how many results have it, their mean estimate, and their share of evidence. */
export function calibrationLines(pairs: readonly EstimatedPair[]): readonly string[] {
  const estimates = estimatesOf(pairs);
  const rows = BIN_EDGES.slice(1).map((end, index) => {
    const start = BIN_EDGES[index] ?? 0;
    const members = estimates.filter(({ probability }) => probability >= start && (probability < end || end === 1));
    return [
      `${start} to ${end}`,
      String(members.length),
      ...[meanEstimate(members), evidenceShare(members)].map(percent),
    ];
  });
  return tableLines([['probability', 'results', 'mean estimate %', 'evidence %'], ...rows]);
}

const BOUNDS = [0.01, 0.015, 0.02, 0.025, 0.03, 0.035, 0.04] as const;

/** A row for each bound, then one for the bound that 90 % of the evidence reaches. */
export function boundLines(pairs: readonly EstimatedPair[]): readonly string[] {
  const row = (bound: number, name = bound.toFixed(3)): readonly string[] => {
    const refused = (['other', 'own'] as const).map((side) => refusedShare(pairs, side, bound));
    return [name, ...[keptShare(pairs, bound), ...refused].map(percent)];
  };
  const keeping = boundThatKeeps(pairs);
  const head = ['bound', 'evidence kept %', 'refused elsewhere %', 'refused at home %'];
  return tableLines([head, ...BOUNDS.map((bound) => row(bound)), row(keeping, `${keeping.toFixed(3)} keeps 90 %`)]);
}
