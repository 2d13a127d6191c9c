/** Finds concepts: places, and names of several words that no other finder explains (works, teams, methods). */
import {
  ACTION_VERBS,
  FILE_WORDS,
  GENERIC_NOUNS,
  STATUS_WORDS,
  WEAK_CODE_WORDS,
} from '../../../../shared/entities/gate-words.js';
import { isKnownPlace, PLACE_ENDINGS, PLACES_USED_AS_NAMES } from '../../../../shared/entities/names/known-places.js';
import { isGivenName } from '../../../../shared/entities/names/person-names.js';
import { BEFORE_PLACES } from '../context-words.js';
import { nameOf, type Page, type Run, textBefore, type Word } from '../read-page.js';
import { type Candidate, candidateOf } from './candidate.js';

/** Names of several words in the middle of a sentence. */
export function findConcepts({ words, runs, isPlainEnglish }: Page): readonly Candidate[] {
  if (!isPlainEnglish) return [];
  return runs.flatMap(([from, to]) => {
    const name = words.slice(from, to);
    const isName =
      name.length >= MIN_WORDS &&
      name.length <= MAX_WORDS &&
      words[from]?.isFirst === false &&
      name.every(isConceptWord);
    return isName ? candidateOf('concepts', name) : [];
  });
}

/** A single capitalised word is too ambiguous. */
const MIN_WORDS = 2;
const MAX_WORDS = 4;

/**
 * Excludes headings and code (`Recall Memory`, `Associate Memories`, `PRIMARY KEY`): generic nouns, verbs and words in
 * capitals.
 */
function isConceptWord({ key, text }: Word): boolean {
  return (
    TITLE_CASE.test(text) &&
    ![GENERIC_NOUNS, ACTION_VERBS, WEAK_CODE_WORDS, FILE_WORDS, STATUS_WORDS].some((words) => words.has(key))
  );
}

const TITLE_CASE = /\p{Ll}/u;

/**
 * Known places, and names whose last word shows a place (`Eiffel Tower`). Places have no category of their own: they
 * are concepts.
 */
export function findPlaces(page: Page): readonly Candidate[] {
  return page.runs.flatMap((run) => (isPlace(page, run) ? candidateOf('concepts', page.words.slice(...run)) : []));
}

function isPlace(page: Page, run: Run): boolean {
  const [from, to] = run;
  const [first, last] = [page.words[from], page.words[to - 1]];
  if (first === undefined || last === undefined) return false;
  if (isKnownPlace(nameOf(page, run).toLowerCase())) return true;
  if (to - from === 1 && PLACES_USED_AS_NAMES.has(first.key)) return BEFORE_PLACES.test(textBefore(page, first));
  const isLong = to - from > 1 && to - from <= MAX_WORDS;
  // `Veronica Lake` is a person
  return isLong && page.isPlainEnglish && PLACE_ENDINGS.has(last.key) && !isGivenName(first.key);
}
