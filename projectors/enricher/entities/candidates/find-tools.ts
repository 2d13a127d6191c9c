/** Finds tools: known software, and capitalised names after words such as `built with`. */
import { COMPANY_ENDINGS, GENERIC_NOUNS } from '../../../../shared/entities/gate-words.js';
import { KNOWN_ORGANIZATIONS } from '../../../../shared/entities/names/known-organizations.js';
import { isKnownPlace } from '../../../../shared/entities/names/known-places.js';
import { AMBIGUOUS_TOOLS, MULTIWORD_TOOLS, TOOLS } from '../../../../shared/entities/names/known-tools.js';
import { isAmbiguousName, isGivenName } from '../../../../shared/entities/names/person-names.js';
import { BEFORE_REJECTED, BEFORE_TOOLS } from '../context-words.js';
import { type Page, type Run, textBefore, type Word } from '../read-page.js';
import { type Candidate, candidateOf } from './candidate.js';

export function findTools(page: Page): readonly Candidate[] {
  return [...knownTools(page), ...usedTools(page)];
}

/** Words of the longest known name. */
const LONGEST = 3;

function knownTools(page: Page): readonly Candidate[] {
  const { words } = page;
  const found: Candidate[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const length = knownLength(words, index) || (isAmbiguousToolAt(page, index) ? 1 : 0);
    const first = words[index];
    if (length === 0 || first === undefined) continue;
    if (!BEFORE_REJECTED.test(textBefore(page, first)))
      found.push(...candidateOf('tools', words.slice(index, index + length)));
    index += length - 1;
  }
  return found;
}

/** Number of words from here that are the name of a known tool without a second meaning; 0 for none. */
function knownLength(words: readonly Word[], index: number): number {
  const [first, ...others] = words.slice(index, index + LONGEST);
  if (first === undefined) return 0;
  const firstGap = others.findIndex(({ gap }) => gap !== ' ');
  const longest = 1 + (firstGap === -1 ? others.length : firstGap);
  for (let length = longest; length > 1; length -= 1) {
    if (
      MULTIWORD_TOOLS.has(
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

/** A capitalised tool name with a second meaning: alone inside a sentence, or after words such as `built with`. */
function isAmbiguousToolAt(page: Page, index: number): boolean {
  const word = page.words[index];
  if (word === undefined || !word.isCapitalized || !AMBIGUOUS_TOOLS.has(word.key)) return false;
  return page.isPlainEnglish && ((!word.isFirst && isAlone(page, index)) || BEFORE_TOOLS.test(textBefore(page, word)));
}

/** The rest of the name only says what it is (`Stripe API`). */
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
  return page.runs.flatMap((run) => (isUsedTool(page, run) ? candidateOf('tools', page.words.slice(...run)) : []));
}

const MAX_WORDS = 2;

function isUsedTool(page: Page, [from, to]: Run): boolean {
  const words = page.words.slice(from, to);
  const [first] = words;
  if (first === undefined || first.isFirst || to - from > MAX_WORDS || !words.every(isToolName)) return false;
  return BEFORE_TOOLS.test(textBefore(page, first));
}

/** Excludes words in capitals: they are as often a method or a unit as a tool (`used LGBTQ`, `using SSE`). */
function isToolName({ key, text, isPossessive }: Word): boolean {
  if (isPossessive || text === text.toUpperCase()) return false;
  return !isGivenName(key) && !isAmbiguousName(key) && !isKnownPlace(key) && !KNOWN_ORGANIZATIONS.has(key);
}
