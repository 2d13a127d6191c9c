/**
 * Measures whether an answer shows that nothing fits: each question is also asked within a conversation that does not
 * hold its answer. There `nothing_fits` should be true, and the probabilities of true evidence should still reach the
 * bound.
 */
import type { Answer, AnswerResult } from '../corpus/ask-within.js';
import { percent } from './figures.js';

/** The answers to one question, within its own conversation and within another one. */
export type AnswerPair = { readonly evidence: readonly string[]; readonly own: Answer; readonly other: Answer };

/** The same, with nothing but the probabilities. */
export type EstimatedPair = {
  readonly evidence: readonly string[];
  readonly own: Estimated;
  readonly other: Estimated;
};
type Estimated<R = Pick<AnswerResult, 'source' | 'matchProbability'>> = { readonly results: readonly R[] };

/** Evidence counts when it is among this many first results. */
const DEPTH = 10;
/** Share of the evidence that a bound must keep. */
const KEPT_SHARE = 0.9;

/** One line for the bound of the service, and one for the bound that keeps 90 % of the evidence. */
export function nothingFitsLines(pairs: readonly AnswerPair[]): readonly string[] {
  if (pairs.length === 0)
    return ['nothing fits: skipped, the answers have no nothing_fits, or the file has one conversation'];
  const others = pairs.map(({ other }) => other);
  const bound = boundOf(pairs.flatMap(({ own, other }) => [own, other]));
  const keepingBound = boundThatKeeps(pairs);
  const refused = shareOf(others, ({ nothingFits }) => nothingFits === true);
  const evidenceCount = pairs.flatMap(evidenceProbabilities).length;
  return [
    `nothing fits, bound ${bound.toFixed(3)}: true for ${percent(refused)} % of ${others.length} questions to another conversation; ` +
      `${percent(keptShare(pairs, bound))} % of ${evidenceCount} true evidence reaches it`,
    `nothing fits, bound ${keepingBound.toFixed(3)}, which ${percent(KEPT_SHARE)} % of true evidence reaches: ` +
      `true for ${percent(refusedShare(pairs, 'other', keepingBound))} %`,
  ];
}

/** The share of the evidence among the first results that reaches the bound. */
export function keptShare(pairs: readonly EstimatedPair[], bound: number): number {
  return shareOf(pairs.flatMap(evidenceProbabilities), (probability) => probability >= bound);
}

/** The share of the answers without a result that reaches the bound. */
export function refusedShare(pairs: readonly EstimatedPair[], side: 'own' | 'other', bound: number): number {
  return shareOf(pairs, (pair) => bestProbability(pair[side]) < bound);
}

/** The bound that 90 % of the evidence among the first results reaches. */
export function boundThatKeeps(pairs: readonly EstimatedPair[]): number {
  const evidence = pairs.flatMap(evidenceProbabilities).sort((one, other) => other - one);
  return evidence[Math.ceil(evidence.length * KEPT_SHARE) - 1] ?? 0;
}

/** The bound of the service, from its answers: the least best probability of an answer that fits. */
function boundOf(answers: readonly Answer[]): number {
  return Math.min(1, ...answers.filter(({ nothingFits }) => nothingFits === false).map(bestProbability));
}

/** The best probability of each source of the evidence among the first results. */
function evidenceProbabilities({ evidence, own }: EstimatedPair): readonly number[] {
  const first = own.results.slice(0, DEPTH);
  return evidence
    .map((source) => first.filter((result) => result.source === source))
    .filter(({ length }) => length > 0)
    .map((results) => bestProbability({ results }));
}

function bestProbability({ results }: Estimated<Pick<AnswerResult, 'matchProbability'>>): number {
  return Math.max(0, ...results.map(({ matchProbability = 0 }) => matchProbability));
}

function shareOf<T>(values: readonly T[], matches: (value: T) => boolean): number {
  return values.length === 0 ? 0 : values.filter(matches).length / values.length;
}
