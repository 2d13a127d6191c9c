/**
 * The analyzer: text to search terms. Both graph engines index its terms and search for its terms, so results do not
 * depend on the word rules of an engine. A change of its output needs a new ANALYZER_VERSION.
 */
import { stemmer } from 'stemmer';
import { QUERY_LENGTH_LIMIT } from '../contract/limits.js';
import { foldText } from './fold.js';
import { STOP_WORDS } from './stop-words.js';
import { words } from './words.js';

export const ANALYZER_VERSION = 1;
/**
 * Terms of one text; later words are not searchable. 2,000 characters of English have about 300 terms, 50,000 about
 * 8,000.
 */
export const MAX_TERMS = 16_384;
export const MAX_QUERY_TERMS = 64;
/** Longer words are cut, in texts and in queries. A SHA-512 in hex has exactly this length. */
export const MAX_TERM_LENGTH = 128;
/** UTF-16 units of one text that are analyzed: more than the largest content limit that can be configured. */
export const MAX_ANALYZED_LENGTH = 65_536;

/** The terms of a text in order, with repeats. Leaves out stop words, unless the text has no other words. */
export function analyze(text: string): readonly string[] {
  const found = words(foldText(text.slice(0, MAX_ANALYZED_LENGTH)));
  const contentWords = found.filter((word) => !STOP_WORDS.has(word));
  const kept = contentWords.length > 0 ? contentWords : found;
  return kept.slice(0, MAX_TERMS).map(termOf);
}

/** The distinct terms of a query in order, at most MAX_QUERY_TERMS. */
export function queryTerms(text: string): readonly string[] {
  return [...new Set(analyze(text.slice(0, QUERY_LENGTH_LIMIT)))].slice(0, MAX_QUERY_TERMS);
}

/** The English stem of a word of plain letters; a word with a digit, a sign or a foreign letter stays unchanged. */
function termOf(word: string): string {
  const term = word.slice(0, MAX_TERM_LENGTH);
  return term.length > 2 && /^[a-z]+$/.test(term) ? stemmer(term) : term;
}
