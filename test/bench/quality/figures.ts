/**
 * Computes the figures of recall quality: the share of the evidence among the first results, and the rank of the first
 * evidence.
 */
import { tableLines } from '../measuring/timing.js';

/** One question with the sources that answer it (`evidence`) and the sources of the results (`found`), best first. */
export type RankedQuestion = {
  readonly category: string;
  readonly evidence: readonly string[];
  readonly found: readonly string[];
};

const DEPTHS = [1, 5, 10, 20] as const;
/** The depth at which rankers are compared. */
const COMPARED_DEPTH = 10;

/**
 * A table with a row for all questions and one for each category: the figures of recall, recall@10 of each plain
 * ranker, and the difference from the best of them in percentage points.
 */
export function qualityLines(
  recall: readonly RankedQuestion[],
  baselines: Readonly<Record<string, readonly RankedQuestion[]>>,
): readonly string[] {
  const row = (name: string): readonly string[] => {
    const asked = membersOf(recall, name);
    const others = Object.values(baselines).map((ranked) => recallAt(membersOf(ranked, name), COMPARED_DEPTH));
    const difference = recallAt(asked, COMPARED_DEPTH) - Math.max(...others);
    return [
      name,
      String(asked.length),
      ...[...DEPTHS.map((depth) => recallAt(asked, depth)), mean(asked.map(reciprocalRank))].map(percent),
      ...others.map(percent),
      `${difference < 0 ? '' : '+'}${percent(difference)}`,
    ];
  };
  const head = ['category', 'questions', ...DEPTHS.map((depth) => `recall@${depth}`), 'MRR'];
  return tableLines([[...head, ...Object.keys(baselines), 'to the best'], ...categoriesOf(recall).map(row)]);
}

const ALL = 'all';

/** `all`, then every category. */
export function categoriesOf(asked: readonly RankedQuestion[]): readonly string[] {
  return [ALL, ...[...new Set(asked.map(({ category }) => category))].sort()];
}

export function membersOf<T extends RankedQuestion>(asked: readonly T[], name: string): readonly T[] {
  return name === ALL ? asked : asked.filter(({ category }) => category === name);
}

/** The mean over the questions, 0 to 1. */
export function recallAt(asked: readonly RankedQuestion[], depth: number): number {
  return mean(asked.map((one) => evidenceRecall(one, depth)));
}

/** The share of the evidence among the first `depth` results; a source counts once. */
export function evidenceRecall({ evidence, found }: Omit<RankedQuestion, 'category'>, depth: number): number {
  const first = new Set(found.slice(0, depth));
  return evidence.filter((source) => first.has(source)).length / evidence.length;
}

/** 1 divided by the rank of the first evidence; 0 when no evidence was found. */
export function reciprocalRank({ evidence, found }: Omit<RankedQuestion, 'category'>): number {
  const rank = found.findIndex((source) => evidence.includes(source)) + 1;
  return rank === 0 ? 0 : 1 / rank;
}

export function percent(share: number): string {
  return (100 * share).toFixed(1);
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
