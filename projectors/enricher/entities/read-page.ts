/** The first step: splits a text into words and finds runs of words that may form a name. Latin script only. */
import { MONTHS, WEEKDAYS } from '../../../shared/entities/gate-words.js';
import { COMMON_WORDS_USED_AS_NAMES, PROPER_NOUNS_USED_AS_NAMES } from '../../../shared/entities/names/person-names.js';
import { foldText } from '../../../shared/text/fold.js';
import { STOP_WORDS } from '../../../shared/text/stop-words.js';
import { CAPITALIZED_WORDS, FOREIGN_WORDS, GREETINGS } from './context-words.js';

/** UTF-16 units of a text that are searched for names. */
export const ENTITY_TEXT_LIMIT = 20_000;

export type Word = {
  /** As written, without the `'s` of a possessive. */
  readonly text: string;
  /** In lower case, without accents. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** The characters between the word before and this one. */
  readonly gap: string;
  readonly isCapitalized: boolean;
  readonly isPossessive: boolean;
  /** It starts a sentence, a line or a quotation, so its capital shows nothing. */
  readonly isFirst: boolean;
};

export type Page = {
  readonly text: string;
  readonly words: readonly Word[];
  /** A language other than English, in Latin script. */
  readonly isForeign: boolean;
  /** False in another language and in a headline: there the capital of a word shows nothing. */
  readonly isPlainEnglish: boolean;
  /** Adjacent capitalised words, as [index of the first, index after the last]. */
  readonly runs: readonly Run[];
};
export type Run = readonly [from: number, to: number];

export function readPage(content: string): Page {
  const text = withoutAddresses(content.slice(0, ENTITY_TEXT_LIMIT));
  const words = readWords(text);
  const isForeignText = isForeign(words);
  return {
    text,
    words,
    isForeign: isForeignText,
    isPlainEnglish: !isForeignText && !isHeadline(words),
    runs: readRuns(words),
  };
}

/** The run's words as one name. */
export function nameOf({ words }: Page, [from, to]: Run): string {
  return words
    .slice(from, to)
    .map(({ text }) => text)
    .join(' ');
}

/** The text before a word, up to the length of a phrase. */
export function textBefore({ text }: Page, { start }: Word): string {
  return text.slice(Math.max(0, start - PHRASE_LENGTH), start);
}

/**
 * Replaces URLs, mail addresses and paths by blanks, because their parts look like names. All other text keeps its
 * position.
 */
function withoutAddresses(text: string): string {
  return text.replace(/\S+/gu, (chunk) => (ADDRESS.test(chunk) ? ' '.repeat(chunk.length) : chunk));
}

const ADDRESS = /:\/\/|\\|[^@]@[^@]+\.|^(?:\.{0,2}|~)\/|\/[^\s/]*\.[a-z]{1,4}[),.;:]?$/u;
const PHRASE_LENGTH = 48;
/**
 * A word includes an inner dot or hyphen (`Node.js`, `Counter-Strike`), an underscore (`JWT_SECRET`) and closing signs
 * (`C++`).
 */
const WORD =
  /\p{Script=Latin}[\p{Script=Latin}\p{M}\p{N}]*(?:(?:['’&_-]|\.(?=[\p{Ll}\p{N}]))[\p{Script=Latin}\p{M}\p{N}]+)*(?:\+\+|#)?/gu;
const POSSESSIVE = /['’]s$/iu;
const CONTRACTION = /['’](?:[mdt]|ve|ll|re)$/iu;
/** A gap that does not start a sentence: a blank, a comma, a bracket or a slash. */
const CONTINUING_GAP = /^(?:,? \(?|\/)$/u;

function readWords(text: string): readonly Word[] {
  let end = 0;
  return [...text.matchAll(WORD)].map(([found], order, all) => {
    const start = all[order]?.index ?? 0;
    const gap = text.slice(end, start);
    end = start + found.length;
    const word = found.replace(POSSESSIVE, '');
    return {
      text: word,
      key: foldText(word).toLowerCase(),
      start,
      end,
      gap,
      isCapitalized: /^\p{Lu}/u.test(word) && !CONTRACTION.test(word),
      isPossessive: word !== found,
      isFirst: order === 0 || !CONTINUING_GAP.test(gap),
    };
  });
}

function readRuns(words: readonly Word[]): readonly Run[] {
  const runs: Run[] = [];
  let from: number | null = null;
  words.forEach((word, index) => {
    const isPart = canBePartOfName(word);
    if (from !== null && (!isPart || !continuesName(words[index - 1], word))) {
      runs.push([from, index]);
      from = null;
    }
    if (isPart && from === null) from = index;
  });
  return from === null ? runs : [...runs, [from, words.length]];
}

/** The words are in one name: between them is a blank, or the dot of an initial (`Ann B. Cook`, `J.R.R. Tolkien`). */
export function continuesName(before: Word | undefined, { gap }: Word): boolean {
  if (before === undefined || before.isPossessive) return false;
  return gap === ' ' || ((gap === '. ' || gap === '.') && before.text.length === 1);
}

/** A capitalised word that can be part of a name. */
export function canBePartOfName({ key, isCapitalized, isFirst }: Word): boolean {
  if (!isCapitalized || GREETINGS.has(key) || CAPITALIZED_WORDS.has(key) || WEEKDAYS.has(key)) return false;
  if (COMMON_WORDS_USED_AS_NAMES.has(key)) return !isFirst || !STOP_WORDS.has(key);
  return !STOP_WORDS.has(key) && !(MONTHS.has(key) && !PROPER_NOUNS_USED_AS_NAMES.has(key));
}

/** More function words of other languages than of English. Important for German, which capitalises every noun. */
function isForeign(words: readonly Word[]): boolean {
  const count = (list: ReadonlySet<string>): number => words.filter(({ key }) => list.has(key)).length;
  return count(FOREIGN_WORDS) > count(STOP_WORDS);
}

const HEADLINE_WORDS = 5;
const HEADLINE_SHARE = 0.7;

/** Most words are capitalised, as in titles. */
function isHeadline(words: readonly Word[]): boolean {
  return (
    words.length >= HEADLINE_WORDS &&
    words.filter(({ text }) => /^\p{Lu}/u.test(text)).length > words.length * HEADLINE_SHARE
  );
}
