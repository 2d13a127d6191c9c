/**
 * The query's words as a caller wrote them: what tags and metadata are compared with, and what the answer lists as `keywords`.
 * Content is compared by analysed terms instead.
 */
import { STOP_WORDS } from '../../shared/text/stop-words.js';

/** A query of more words is judged by its first ones. */
const WORD_LIMIT = 64;

/** Lower case, distinct, in order; hyphens and underscores stay inside a word. Stop words are left out unless there is nothing else. */
export function queryWords(text: string): readonly string[] {
  const found = [...new Set(wordsOf(text))];
  const telling = found.filter((word) => !STOP_WORDS.has(word));
  return (telling.length > 0 ? telling : found).slice(0, WORD_LIMIT);
}

/** Runs of letters, digits, marks and the signs that stand inside words, in lower case, without signs at their ends. `Ann's` is Ann. */
export function wordsOf(text: string): readonly string[] {
  const runs =
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}\p{M}_'-]+/gu) ?? [];
  return runs.map((run) => run.replace(/'s$/u, '').replace(/^[-_']+|[-_']+$/gu, '')).filter((word) => word !== '');
}
