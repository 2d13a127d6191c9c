/** Tools: software by name, and capitalised names of which the text says that they are used. */
import { COMPANY_ENDINGS, GENERIC_NOUNS } from '../gate-words.js';
import { KNOWN_ORGANIZATIONS } from '../names/known-organizations.js';
import { isDoubtlessPerson, mayBePerson } from '../names/is-person-name.js';
import { isKnownPlace } from '../names/known-places.js';
import { LONG_TOOLS, TOOLS, TOOLS_THAT_ARE_WORDS } from '../names/known-tools.js';
import { textBefore, type Page, type Run, type Word } from '../read-page.js';
import { BEFORE_REJECTED, BEFORE_TOOLS } from '../words-beside-names.js';
import { candidateOf, type Candidate } from './candidate.js';

export function findTools(page: Page): readonly Candidate[] {
  return [...knownTools(page), ...usedTools(page)];
}

const LONGEST = 3;

function knownTools(page: Page): readonly Candidate[] {
  const { words } = page;
  const found: Candidate[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const length = knownLength(words, index) || (isToolHere(page, index) ? 1 : 0);
    const first = words[index];
    if (length === 0 || first === undefined) continue;
    if (!BEFORE_REJECTED.test(textBefore(page, first)))
      found.push(...candidateOf('tools', words.slice(index, index + length)));
    index += length - 1;
  }
  return found;
}

/** How many words from here are the name of a tool that nothing else has; 0 for none. */
function knownLength(words: readonly Word[], index: number): number {
  const [first, ...others] = words.slice(index, index + LONGEST);
  if (first === undefined) return 0;
  const together = others.findIndex(({ gap }) => gap !== ' ');
  const reach = 1 + (together === -1 ? others.length : together);
  for (let length = reach; length > 1; length -= 1) {
    if (
      LONG_TOOLS.has(
        words
          .slice(index, index + length)
          .map(({ key }) => key)
          .join(' '),
      )
    )
      return length;
  }
  return TOOLS.has(first.key) ? 1 : 0;
}

/** A capitalised word that is also a tool, alone and inside a sentence, or used. */
function isToolHere(page: Page, index: number): boolean {
  const word = page.words[index];
  if (word === undefined || !word.isCapitalized || !TOOLS_THAT_ARE_WORDS.has(word.key)) return false;
  return page.isPlainEnglish && ((!word.isFirst && isAlone(page, index)) || BEFORE_TOOLS.test(textBefore(page, word)));
}

/** Nothing of the name stands beside it but what it is (`Stripe API`). */
function isAlone({ words, runs }: Page, index: number): boolean {
  const run = runs.find(([, to]) => to > index);
  return (
    run !== undefined &&
    run[0] === index &&
    words.slice(index + 1, run[1]).every(({ key }) => GENERIC_NOUNS.has(key) || COMPANY_ENDINGS.has(key))
  );
}

function usedTools(page: Page): readonly Candidate[] {
  if (!page.isPlainEnglish) return [];
  return page.runs.flatMap((run) => (isUsed(page, run) ? candidateOf('tools', page.words.slice(...run)) : []));
}

const MAX_WORDS = 2;

function isUsed(page: Page, [from, to]: Run): boolean {
  const words = page.words.slice(from, to);
  const [first] = words;
  if (first === undefined || first.isFirst || to - from > MAX_WORDS || !words.every(isNamedSo)) return false;
  return BEFORE_TOOLS.test(textBefore(page, first));
}

/** All capitals are as often a method or a unit as a tool (`used LGBTQ`, `using SSE`). */
function isNamedSo({ key, text, isPossessive }: Word): boolean {
  if (isPossessive || text === text.toUpperCase()) return false;
  return !isDoubtlessPerson(key) && !mayBePerson(key) && !isKnownPlace(key) && !KNOWN_ORGANIZATIONS.has(key);
}
