/**
 * How well each memory of the pool matches the query's terms, pure: 1 for all of them as one phrase, 0 for none. The contract's points
 * are the basis (2 for a term in the content, 1 for one in a tag only, the phrase counted like one more term), weighed by how rare
 * each term is in the pool: counting a speaker's name like a rare word costs 2 points of recall@10 on real conversations.
 */
import type { Memory } from '../../shared/contract/memory.js';
import { analyze } from '../../shared/text/analyzer.js';

const TAG_SHARE = 0.5;

type AnalysedMemory = {
  readonly content: readonly string[];
  readonly contentTerms: ReadonlySet<string>;
  readonly tags: readonly (readonly string[])[];
  readonly tagTerms: ReadonlySet<string>;
};

/** One number for each memory, in their order. */
export function keywordMatches(terms: readonly string[], pool: readonly Memory[]): readonly number[] {
  if (terms.length === 0) return pool.map(() => 0);
  const analysed = pool.map(analyseMemory);
  const weights = terms.map((term) => rarity(countHolding(term, analysed), analysed.length));
  // Not the mean: the order of words says less than the words, so a phrase counts like the commonest of them.
  const phraseWeight = terms.length > 1 ? Math.min(...weights) : 0;
  const whole = sum(weights) + phraseWeight;
  return analysed.map((memory) => {
    const found = sum(terms.map((term, index) => shareOf(term, memory) * (weights[index] ?? 0)));
    return (found + phraseShare(terms, memory) * phraseWeight) / whole;
  });
}

function analyseMemory({ content, tags }: Memory): AnalysedMemory {
  const analysedTags = tags.map(analyze);
  const analysedContent = analyze(content);
  return { content: analysedContent, contentTerms: new Set(analysedContent), tags: analysedTags, tagTerms: new Set(analysedTags.flat()) };
}

function shareOf(term: string, { contentTerms, tagTerms }: AnalysedMemory): number {
  if (contentTerms.has(term)) return 1;
  return tagTerms.has(term) ? TAG_SHARE : 0;
}

function phraseShare(terms: readonly string[], { content, tags }: AnalysedMemory): number {
  if (holdsPhrase(terms, content)) return 1;
  return tags.some((tag) => holdsPhrase(terms, tag)) ? TAG_SHARE : 0;
}

function countHolding(term: string, pool: readonly AnalysedMemory[]): number {
  return pool.filter((memory) => shareOf(term, memory) > 0).length;
}

/** Inverse document frequency as in BM25. A term that nobody has counts as if one had it: it is rare, and it stays missing. */
function rarity(holding: number, poolSize: number): number {
  const frequency = Math.max(1, holding);
  return Math.log(1 + (poolSize - frequency + 0.5) / (frequency + 0.5));
}

function holdsPhrase(phrase: readonly string[], terms: readonly string[]): boolean {
  for (let start = 0; start + phrase.length <= terms.length; start += 1) {
    if (phrase.every((term, offset) => terms[start + offset] === term)) return true;
  }
  return false;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
