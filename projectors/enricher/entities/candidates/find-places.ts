/** Places: those known by name, and those whose last word says so (`Eiffel Tower`). They are concepts, for want of a category of their own. */
import { isDoubtlessPerson } from '../names/is-person-name.js';
import { isKnownPlace, PLACE_ENDINGS, PLACES_THAT_NAME } from '../names/known-places.js';
import { nameOf, textBefore, type Page, type Run } from '../read-page.js';
import { BEFORE_PLACES } from '../words-beside-names.js';
import { candidateOf, type Candidate } from './candidate.js';

export function findPlaces(page: Page): readonly Candidate[] {
  return page.runs.flatMap((run) => (isPlace(page, run) ? candidateOf('concepts', page.words.slice(...run)) : []));
}

const MAX_WORDS = 4;

function isPlace(page: Page, run: Run): boolean {
  const [from, to] = run;
  const [first, last] = [page.words[from], page.words[to - 1]];
  if (first === undefined || last === undefined) return false;
  if (isKnownPlace(nameOf(page, run).toLowerCase())) return true;
  if (to - from === 1 && PLACES_THAT_NAME.has(first.key)) return BEFORE_PLACES.test(textBefore(page, first));
  const isLong = to - from > 1 && to - from <= MAX_WORDS;
  // Veronica Lake is a person.
  return isLong && page.isPlainEnglish && PLACE_ENDINGS.has(last.key) && !isDoubtlessPerson(first.key);
}
