/** Reads the text of one query, pure: the text, its words as written, its analysed terms and its identifiers. */
import { QUERY_LENGTH_LIMIT } from '../../../shared/contract/limits.js';
import { trimCharacters } from '../../../shared/kernel/validation/trim-characters.js';
import { queryTerms } from '../../../shared/text/analyzer.js';
import { type Identifier, identifiersOf } from '../../../shared/text/identifiers.js';
import { STOP_WORDS } from '../../../shared/text/stop-words.js';

/** A longer query is compared by its first 64 words. */
const WORD_LIMIT = 64;

export type QueryText = {
  /** As the caller wrote it, trimmed: its first QUERY_LENGTH_LIMIT characters. */
  readonly query: string;
  /** The text to search for; null when the query is absent or `*`. */
  readonly text: string | null;
  /** The words as written: compared with tags and metadata, and listed as `keywords` in the reply. */
  readonly words: readonly string[];
  /** The analysed terms: compared with content. */
  readonly terms: readonly string[];
  /** Words that name exactly one thing: tickets, commits, paths, error codes, versions. */
  readonly identifiers: readonly Identifier[];
};

/** All later stages read this text, so a longer query costs as much as one of QUERY_LENGTH_LIMIT characters. */
export function queryText(written: string): QueryText {
  const query = beginningOf(written.trim());
  if (query === '' || query === '*') return { query, text: null, words: [], terms: [], identifiers: [] };
  return { query, text: query, words: queryWords(query), terms: queryTerms(query), identifiers: identifiersOf(query) };
}

/** Removes half a surrogate pair at the cut, which the encoder and JSON cannot represent. */
function beginningOf(text: string): string {
  return text.length <= QUERY_LENGTH_LIMIT ? text : text.slice(0, QUERY_LENGTH_LIMIT).replace(/\p{Surrogate}$/u, '');
}

/**
 * Lower case, distinct, in order; hyphens and underscores stay inside a word. Drops stop words unless the query has no
 * other words.
 */
function queryWords(text: string): readonly string[] {
  const words = [...new Set(wordsOf(text))];
  const contentWords = words.filter((word) => !STOP_WORDS.has(word));
  return (contentWords.length > 0 ? contentWords : words).slice(0, WORD_LIMIT);
}

/**
 * Runs of letters, digits, marks, hyphens, underscores and apostrophes, in lower case, without these signs at both
 * ends. `Ann's` becomes `ann`.
 */
export function wordsOf(text: string): readonly string[] {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}\p{M}_'-]+/gu) ?? [];
  return runs.map((run) => trimCharacters(run.replace(/'s$/u, ''), "-_'")).filter((word) => word !== '');
}
