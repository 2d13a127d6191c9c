/** What one query asks for, pure: its text, its words as they are written, and its analysed terms. */
import { queryTerms } from '../../shared/text/analyzer.js';
import { identifiersOf, type Identifier } from '../../shared/text/identifiers.js';
import { queryWords } from './query-words.js';

export type AskedText = {
  /** As the caller wrote it, trimmed. */
  readonly query: string;
  /** What is searched for; null when the query is absent or `*`. */
  readonly text: string | null;
  /** The query's words as they are written, for tags, metadata and the answer. */
  readonly words: readonly string[];
  /** The query's analysed terms, for content. */
  readonly terms: readonly string[];
  /** What names one thing: tickets, commits, paths, error codes, versions. */
  readonly identifiers: readonly Identifier[];
};

export function askedText(written: string): AskedText {
  const query = written.trim();
  if (query === '' || query === '*') return { query, text: null, words: [], terms: [], identifiers: [] };
  return { query, text: query, words: queryWords(query), terms: queryTerms(query), identifiers: identifiersOf(query) };
}
