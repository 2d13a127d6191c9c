/** The words that several texts have in common, pure. */
import { foldText } from '../../shared/text/fold.js';
import { STOP_WORDS } from '../../shared/text/stop-words.js';
import { words } from '../../shared/text/words.js';

/** Those that most of the texts have come first, then those that are said most, then in the order of the alphabet. */
export function keyTerms(texts: readonly string[], limit: number): readonly string[] {
  const said = texts.map((text) => words(foldText(text)).filter(isTelling));
  const uses = countEach(said.flat());
  const holders = countEach(said.flatMap((each) => [...new Set(each)]));
  const rank = (one: string, other: string): number =>
    countOf(holders, other) - countOf(holders, one) ||
    countOf(uses, other) - countOf(uses, one) ||
    (one < other ? -1 : 1);
  return [...holders.keys()].sort(rank).slice(0, limit);
}

const SHORTEST = 4;

function isTelling(word: string): boolean {
  return word.length >= SHORTEST && /^\p{L}+$/u.test(word) && !STOP_WORDS.has(word);
}

type Counts = ReadonlyMap<string, number>;

function countEach(items: readonly string[]): Counts {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, countOf(counts, item) + 1);
  return counts;
}

function countOf(counts: Counts, item: string): number {
  return counts.get(item) ?? 0;
}
