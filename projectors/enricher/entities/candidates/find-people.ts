/** Finds people: by their given names, and by words next to a name that only a person has. */
import { NAME_PARTICLES } from '../../../../shared/entities/check-person.js';
import { KNOWN_ORGANIZATIONS, ORGANIZATION_ENDINGS } from '../../../../shared/entities/names/known-organizations.js';
import { isKnownPlace } from '../../../../shared/entities/names/known-places.js';
import { isKnownTool } from '../../../../shared/entities/names/known-tools.js';
import {
  COMMON_WORDS_USED_AS_NAMES,
  isAmbiguousName,
  isGivenName,
  PROPER_NOUNS_USED_AS_NAMES,
} from '../../../../shared/entities/names/person-names.js';
import { BEFORE_PEOPLE, PERSONAL_VERBS } from '../context-words.js';
import { canBePartOfName, continuesName, type Page, textBefore, type Word } from '../read-page.js';
import { type Candidate, candidateOf } from './candidate.js';

export function findPeople(page: Page): readonly Candidate[] {
  const found: Candidate[] = [];
  for (let index = 0; index < page.words.length; index += 1) {
    const end = personAt(page, index);
    if (end === null) continue;
    found.push(...candidateOf('people', page.words.slice(index, end)));
    index = end - 1;
  }
  return found;
}

/** The index after the last word of the person's name that starts here; null when no person's name starts here. */
function personAt(page: Page, index: number): number | null {
  const word = page.words[index];
  if (word === undefined || !canBePartOfName(word) || continuesEarlierName(page, index)) return null;
  return isPerson(page, index, word) ? endOfName(page, index) : null;
}

/** `Santa Maria`, `Lake Michael`: after a capitalised word of the same name, the word is not a given name. */
function continuesEarlierName({ words }: Page, index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  return (
    before !== undefined &&
    word !== undefined &&
    !before.isFirst &&
    canBePartOfName(before) &&
    continuesName(before, word)
  );
}

function isPerson(page: Page, index: number, word: Word): boolean {
  if (isGivenName(word.key)) return !page.isForeign || !word.isFirst;
  if (PROPER_NOUNS_USED_AS_NAMES.has(word.key) && isFollowedByGivenName(page, index)) return !page.isForeign;
  if (!page.isPlainEnglish || !TITLE_CASE.test(word.text)) return false;
  if (COMMON_WORDS_USED_AS_NAMES.has(word.key) && !word.isFirst) return true;
  if (isAmbiguousName(word.key) && PERSONAL_VERBS.has(page.words[index + 1]?.key ?? '')) return true;
  return !isKnownOtherwise(word) && (BEFORE_PEOPLE.test(textBefore(page, word)) || isGreeted(page, index));
}

/** `Jordan Lee`: before a given name, an ambiguous word is a given name too. */
function isFollowedByGivenName({ words }: Page, index: number): boolean {
  const [word, next] = [words[index], words[index + 1]];
  return word !== undefined && next !== undefined && next.gap === ' ' && next.isCapitalized && isGivenName(next.key);
}

const TITLE_CASE = /^\p{Lu}[\p{L}\p{M}'’-]*\p{Ll}$/u;

/** A known tool, place or organization. */
function isKnownOtherwise({ key }: Word): boolean {
  return !isAmbiguousName(key) && (isKnownTool(key) || isKnownPlace(key) || KNOWN_ORGANIZATIONS.has(key));
}

/** `Hey Xochi!`, `Thanks, Xochi.` */
function isGreeted({ text, words }: Page, index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  if (before === undefined || word === undefined || !GREETING_WORDS.has(before.key)) return false;
  return /^,? $/u.test(word.gap) && /^\s*[,!?.]/u.test(text.slice(word.end, word.end + 2));
}

const GREETING_WORDS = new Set(['hi', 'hey', 'hello', 'dear', 'thanks', 'bye', 'goodbye', 'congrats']);
const MAX_FURTHER_WORDS = 4;

/**
 * The index after the family names, initials and particles that follow. An initial counts only when a name follows it.
 */
function endOfName({ words }: Page, index: number): number {
  let end = index + 1;
  let at = end;
  for (let further = 0; further < MAX_FURTHER_WORDS; further += 1, at += 1) {
    const [before, word, after] = [words[at - 1], words[at], words[at + 1]];
    if (before === undefined || word === undefined || !continuesName(before, word)) break;
    if (isFamilyName(word)) end = word.text.length > 1 ? at + 1 : end;
    else if (!NAME_PARTICLES.has(word.text) || after === undefined || !canBePartOfName(after)) break;
  }
  return end;
}

function isFamilyName(word: Word): boolean {
  return (
    canBePartOfName(word) &&
    FAMILY_NAME.test(word.text) &&
    !isKnownTool(word.key) &&
    !ORGANIZATION_ENDINGS.has(word.key)
  );
}

const FAMILY_NAME = /^\p{Lu}(?:[\p{L}\p{M}'’-]*\p{Ll})?$/u;
