/** What one query asks for, pure: its text, its words as they are written, and its analysed terms. */
import { queryTerms } from '../../shared/text/analyzer.js';
import type { RecallPlan } from './plan.js';
import { queryWords } from './query-words.js';

/** `*` and nothing at all search for nothing. */
export function askedText(written: string): Pick<RecallPlan, 'query' | 'text' | 'words' | 'terms'> {
  const query = written.trim();
  if (query === '' || query === '*') return { query, text: null, words: [], terms: [] };
  return { query, text: query, words: queryWords(query), terms: queryTerms(query) };
}
