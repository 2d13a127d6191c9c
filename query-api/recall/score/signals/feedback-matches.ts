/**
 * Ranks the memories of the pool by the rare terms of the best candidates, pure. Only a term that links two memories
 * counts: a term of one memory says nothing about any other.
 */
import type { Memory } from '../../../../shared/contract/memory.js';
import type { TermText } from '../term-text.js';
import { lexicalMatches, type WeightedTerm } from './lexical-matches.js';

const MIN_HOLDERS = 2;

/** One number per memory, in their order: its BM25 relative to the best of the pool, 0 to 1. */
export function feedbackMatches(
  terms: readonly WeightedTerm[],
  pool: readonly Pick<Memory, 'content'>[],
  termText: TermText,
): readonly number[] {
  const texts = pool.map((memory) => termText.ofContent(memory));
  return lexicalMatches(
    terms.filter(({ term }) => texts.filter(({ counts }) => counts.has(term)).length >= MIN_HOLDERS),
    pool,
    termText,
  );
}
