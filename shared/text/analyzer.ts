/**
 * The one analyzer: text to search terms. Both graph engines index what it returns and search for what it returns, so what is found
 * does not depend on an engine's own idea of a word. A change in what it returns is a new ANALYZER_VERSION.
 */
import { stemmer } from 'stemmer';
import { foldText } from './fold.js';
import { STOP_WORDS } from './stop-words.js';
import { words } from './words.js';

export const ANALYZER_VERSION = 1;
/** Terms of one text; what comes after is not searchable by word. 2,000 characters of English have about 300, 50,000 about 8,000. */
export const MAX_TERMS = 16_384;
export const MAX_QUERY_TERMS = 64;
/** Longer words are cut, on both sides alike. A SHA-512 in hex is just whole. */
export const MAX_TERM_LENGTH = 128;
/** UTF-16 units of one text that are looked at: more than the largest content that can be configured. */
export const MAX_ANALYZED_LENGTH = 65_536;
/** Of a query; a reader waits for it. */
export const MAX_QUERY_LENGTH = 4_096;

/** The terms of a text in its order, repeats kept. Stop words are left out unless there is nothing else. */
export function analyze(text: string): readonly string[] {
  const found = words(foldText(text.slice(0, MAX_ANALYZED_LENGTH)));
  const telling = found.filter((word) => !STOP_WORDS.has(word));
  const kept = telling.length > 0 ? telling : found;
  return kept.slice(0, MAX_TERMS).map(termOf);
}

/** The distinct terms of a query in its order, at most MAX_QUERY_TERMS. */
export function queryTerms(text: string): readonly string[] {
  return [...new Set(analyze(text.slice(0, MAX_QUERY_LENGTH)))].slice(0, MAX_QUERY_TERMS);
}

/** English stems for words of plain letters; whatever has a digit, a sign or a foreign letter stays as it is. */
function termOf(word: string): string {
  const term = word.slice(0, MAX_TERM_LENGTH);
  return term.length > 2 && /^[a-z]+$/.test(term) ? stemmer(term) : term;
}
