/** People: by their given names, and by the words beside a name that only a person takes. */
import { KNOWN_ORGANIZATIONS, ORGANIZATION_ENDINGS } from '../names/known-organizations.js';
import { NAMESAKES, WORDS_THAT_NAME } from '../names/doubtful-names.js';
import { isDoubtlessPerson, mayBePerson } from '../names/is-person-name.js';
import { isKnownPlace } from '../names/known-places.js';
import { isKnownTool } from '../names/known-tools.js';
import { NAME_PARTICLES } from '../judge-person.js';
import { continues, mayName, textBefore, type Page, type Word } from '../read-page.js';
import { BEFORE_PEOPLE, PERSONAL_VERBS } from '../words-beside-names.js';
import { candidateOf, type Candidate } from './candidate.js';

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

/** The index behind the last name of the person who is named there; null when nobody is. */
function personAt(page: Page, index: number): number | null {
  const word = page.words[index];
  if (word === undefined || !mayName(word) || isTail(page, index)) return null;
  return isPerson(page, index, word) ? endOfName(page, index) : null;
}

/** `Santa Maria`, `Lake Michael`: a capitalised word before it in the same name, so it is no given name here. */
function isTail({ words }: Page, index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  return before !== undefined && word !== undefined && !before.isFirst && mayName(before) && continues(before, word);
}

function isPerson(page: Page, index: number, word: Word): boolean {
  if (isDoubtlessPerson(word.key)) return !page.isForeign || !word.isFirst;
  if (NAMESAKES.has(word.key) && isNamedAgain(page, index)) return !page.isForeign;
  if (!page.isPlainEnglish || !TITLE_CASE.test(word.text)) return false;
  if (WORDS_THAT_NAME.has(word.key) && !word.isFirst) return true;
  if (mayBePerson(word.key) && PERSONAL_VERBS.has(page.words[index + 1]?.key ?? '')) return true;
  return !isOfAnother(word) && (BEFORE_PEOPLE.test(textBefore(page, word)) || isGreeted(page, index));
}

/** `Jordan Lee`: a given name that follows says that the first is one too. */
function isNamedAgain({ words }: Page, index: number): boolean {
  const [word, next] = [words[index], words[index + 1]];
  return (
    word !== undefined && next !== undefined && next.gap === ' ' && next.isCapitalized && isDoubtlessPerson(next.key)
  );
}

const TITLE_CASE = /^\p{Lu}[\p{L}\p{M}'’-]*\p{Ll}$/u;

/** Known as something else. */
function isOfAnother({ key }: Word): boolean {
  return !mayBePerson(key) && (isKnownTool(key) || isKnownPlace(key) || KNOWN_ORGANIZATIONS.has(key));
}

/** `Hey Xochi!`, `Thanks, Xochi.` */
function isGreeted({ text, words }: Page, index: number): boolean {
  const [before, word] = [words[index - 1], words[index]];
  if (before === undefined || word === undefined || !CALLING.has(before.key)) return false;
  return /^,? $/u.test(word.gap) && /^\s*[,!?.]/u.test(text.slice(word.end, word.end + 2));
}

const CALLING = new Set(['hi', 'hey', 'hello', 'dear', 'thanks', 'bye', 'goodbye', 'congrats']);
const MAX_FURTHER_WORDS = 4;

/** Family names, initials and particles that follow. An initial is none without a name behind it. */
function endOfName({ words }: Page, index: number): number {
  let end = index + 1;
  let at = end;
  for (let further = 0; further < MAX_FURTHER_WORDS; further += 1, at += 1) {
    const [before, word, behind] = [words[at - 1], words[at], words[at + 1]];
    if (before === undefined || word === undefined || !continues(before, word)) break;
    if (isFamilyName(word)) end = word.text.length > 1 ? at + 1 : end;
    else if (!NAME_PARTICLES.has(word.text) || behind === undefined || !mayName(behind)) break;
  }
  return end;
}

function isFamilyName(word: Word): boolean {
  return mayName(word) && FAMILY_NAME.test(word.text) && !isKnownTool(word.key) && !ORGANIZATION_ENDINGS.has(word.key);
}

const FAMILY_NAME = /^\p{Lu}(?:[\p{L}\p{M}'’-]*\p{Ll})?$/u;
