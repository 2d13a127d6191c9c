/** Names of several words in the middle of a sentence that nothing else explains: works, teams, methods. */
import { ACTION_VERBS, FILE_WORDS, GENERIC_NOUNS, STATUS_WORDS, WEAK_CODE_WORDS } from '../gate-words.js';
import type { Page, Word } from '../read-page.js';
import { candidateOf, type Candidate } from './candidate.js';

export function findConcepts({ words, runs, isPlainEnglish }: Page): readonly Candidate[] {
  if (!isPlainEnglish) return [];
  return runs.flatMap(([from, to]) => {
    const name = words.slice(from, to);
    const isName =
      name.length >= MIN_WORDS && name.length <= MAX_WORDS && words[from]?.isFirst === false && name.every(isTelling);
    return isName ? candidateOf('concepts', name) : [];
  });
}

/** One capitalised word may be anything. */
const MIN_WORDS = 2;
const MAX_WORDS = 4;

/** `Recall Memory`, `Associate Memories` and `PRIMARY KEY` are headings and code: a word for anything, a verb or shouting is in them. */
function isTelling({ key, text }: Word): boolean {
  return (
    TITLE_CASE.test(text) &&
    ![GENERIC_NOUNS, ACTION_VERBS, WEAK_CODE_WORDS, FILE_WORDS, STATUS_WORDS].some((words) => words.has(key))
  );
}

const TITLE_CASE = /\p{Ll}/u;
