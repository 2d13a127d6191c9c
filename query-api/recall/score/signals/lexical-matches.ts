/**
 * Ranks the memories of the pool by BM25, pure. Unlike the keyword component, which is the share of the query's terms,
 * it counts repeated terms and divides by the length, so a piece of a long text gains less from containing many words.
 * Source: Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009).
 */
import type { Memory } from '../../../../shared/contract/memory.js';
import { rarity } from '../../../../shared/text/rarity.js';
import type { TermText } from '../term-text.js';

const K1 = 1.2;
const B = 0.75;

/** One number per memory, in their order: its BM25 relative to the best of the pool, 0 to 1. */
export function lexicalMatches(
  terms: readonly string[],
  pool: readonly Pick<Memory, 'content'>[],
  termText: TermText,
): readonly number[] {
  const texts = pool.map((memory) => termText.ofContent(memory));
  const meanLength = texts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, pool.length);
  const scores = pool.map(() => 0);
  for (const term of terms) {
    const counts = texts.map((text) => text.counts.get(term) ?? 0);
    const weight = rarity(counts.filter((count) => count > 0).length, pool.length);
    counts.forEach((count, index) => {
      if (count === 0) return;
      const length = (texts[index]?.length ?? 0) / meanLength;
      scores[index] = (scores[index] ?? 0) + (weight * count * (K1 + 1)) / (count + K1 * (1 - B + B * length));
    });
  }
  const best = Math.max(0, ...scores);
  return best === 0 ? scores : scores.map((score) => score / best);
}
