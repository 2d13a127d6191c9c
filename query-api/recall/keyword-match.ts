/**
 * How well each memory of the pool matches the query's terms, pure: 1 for all of them as one phrase, 0 for none. The contract's points
 * are the basis (2 for a term in the content, 1 for one in a tag only, the phrase counted like one more term), weighed by how rare
 * each term is in the pool: counting a speaker's name like a rare word costs 2 points of recall@10 on real conversations.
 */
import type { Memory } from '../../shared/contract/memory.js';
import { rarity } from './rarity.js';
import { joinTerms, type TermText } from './term-text.js';

const TAG_SHARE = 0.5;

type AnalysedMemory = { readonly content: string; readonly tags: readonly string[] };

/** One number for each memory, in their order. */
export function keywordMatches(
  terms: readonly string[],
  pool: readonly Memory[],
  termText: TermText,
): readonly number[] {
  if (terms.length === 0) return pool.map(() => 0);
  const analysed = pool.map(({ content, tags }) => ({ content: termText(content), tags: tags.map(termText) }));
  const shares = terms.map((term) => sharesOf([term], analysed));
  const weights = shares.map((shareByMemory) => rarity(shareByMemory.filter((share) => share > 0).length, pool.length));
  if (terms.length > 1) {
    shares.push(sharesOf(terms, analysed));
    // Not the mean: the order of words says less than the words, so a phrase counts like the commonest of them.
    weights.push(Math.min(...weights));
  }
  const whole = sum(weights);
  return pool.map((_, memory) => sum(weights.map((weight, term) => weight * (shares[term]?.[memory] ?? 0))) / whole);
}

/** For each memory: 1 where its content holds the terms as one phrase, a half where only a tag does. */
function sharesOf(phrase: readonly string[], pool: readonly AnalysedMemory[]): readonly number[] {
  const wanted = joinTerms(phrase);
  return pool.map(({ content, tags }) => {
    if (content.includes(wanted)) return 1;
    return tags.some((tag) => tag.includes(wanted)) ? TAG_SHARE : 0;
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
