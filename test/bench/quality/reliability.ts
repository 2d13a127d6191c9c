/**
 * Measures the calibration of `match_probability`: the results in ten bins of equal count by their probability, and
 * the expected calibration error (ECE), which is the mean difference between estimate and share of evidence over the
 * bins.
 */
import { tableLines } from '../measuring/timing.js';
import { mean, percent } from './figures.js';
import type { EstimatedPair } from './nothing-fits.js';

/** One result: the estimate that it answers, and whether it does. */
export type Estimate = { readonly probability: number; readonly isEvidence: boolean };

/** Results that count, of each answer. */
const DEPTH = 10;
const BINS = 10;

/** The first results at home, where some are evidence, and in the other conversation, where none is. */
export function estimatesOf(pairs: readonly EstimatedPair[]): readonly Estimate[] {
  return pairs.flatMap(({ evidence, own, other }) => [
    ...own.results.slice(0, DEPTH).map(({ source, matchProbability = 0 }) => ({
      probability: matchProbability,
      isEvidence: evidence.includes(source),
    })),
    ...other.results
      .slice(0, DEPTH)
      .map(({ matchProbability = 0 }) => ({ probability: matchProbability, isEvidence: false })),
  ]);
}

/** A row for each bin, then the error; also that of the results at home alone. */
export function reliabilityLines(pairs: readonly EstimatedPair[]): readonly string[] {
  const estimates = estimatesOf(pairs);
  const rows = binsOf(estimates).map((bin, index) => [
    String(index + 1),
    String(bin.length),
    `${percent(bin[0]?.probability ?? 0)} to ${percent(bin.at(-1)?.probability ?? 0)}`,
    percent(meanEstimate(bin)),
    percent(evidenceShare(bin)),
  ]);
  const atHome = estimatesOf(pairs.map((pair) => ({ ...pair, other: { results: [] } })));
  return [
    ...tableLines([['tenth', 'results', 'probability %', 'mean estimate %', 'evidence %'], ...rows]),
    `calibration error (ECE) ${calibrationError(estimates).toFixed(4)}, at home alone ${calibrationError(atHome).toFixed(4)}`,
  ];
}

export function calibrationError(estimates: readonly Estimate[]): number {
  const weighted = binsOf(estimates).map((bin) => bin.length * Math.abs(meanEstimate(bin) - evidenceShare(bin)));
  return weighted.reduce((sum, value) => sum + value, 0) / Math.max(1, estimates.length);
}

/** The mean probability of the results. */
export function meanEstimate(estimates: readonly Estimate[]): number {
  return mean(estimates.map(({ probability }) => probability));
}

export function evidenceShare(estimates: readonly Estimate[]): number {
  return mean(estimates.map(({ isEvidence }) => Number(isEvidence)));
}

/** The least probable first. */
function binsOf(estimates: readonly Estimate[]): readonly (readonly Estimate[])[] {
  const sorted = [...estimates].sort((one, other) => one.probability - other.probability);
  const edge = (bin: number): number => Math.round((bin * sorted.length) / BINS);
  return Array.from({ length: BINS }, (_, bin) => sorted.slice(edge(bin), edge(bin + 1)));
}
