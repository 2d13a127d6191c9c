/**
 * Ranks the memories of the pool by BM25, pure. Unlike the keyword component, which is the share of the query's terms,
 * it counts repeated terms and divides by the length, so a piece of a long text gains less from containing many words.
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
 */
import type { Memory } from '../../../../shared/contract/memory.js';
import { rarity } from '../../../../shared/graph/rarity.js';
import { joinTerms, type TermText } from '../term-text.js';

const K1 = 1.2;
const B = 0.75;

/** One number per memory, in their order: its BM25 relative to the best of the pool, 0 to 1. */
export function lexicalMatches(
  terms: readonly string[],
  pool: readonly Pick<Memory, 'content'>[],
  termText: TermText,
): readonly number[] {
  const texts = pool.map(({ content }) => termText(content));
  const lengths = texts.map(termCount);
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, pool.length);
  const scores = pool.map(() => 0);
  for (const term of terms) {
    const counts = texts.map((text) => occurrences(text, joinTerms([term])));
    const weight = rarity(counts.filter((count) => count > 0).length, pool.length);
    counts.forEach((count, index) => {
      if (count === 0) return;
      const length = (lengths[index] ?? 0) / meanLength;
      scores[index] = (scores[index] ?? 0) + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    });
  }
  const best = Math.max(0, ...scores);
  return best === 0 ? scores : scores.map((score) => score / best);
}

/** Neighbours in the text share a blank, so the search continues at the last blank of a match. */
function occurrences(text: string, joined: string): number {
  let count = 0;
  for (let at = text.indexOf(joined); at >= 0; at = text.indexOf(joined, at + joined.length - 1)) count += 1;
  return count;
}

function termCount(text: string): number {
  let count = -1;
  for (let at = text.indexOf(' '); at >= 0; at = text.indexOf(' ', at + 1)) count += 1;
  return Math.max(1, count);
}
