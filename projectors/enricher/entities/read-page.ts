/** The first step: a text as words, and the words that stand together as a name would. Latin script only; others have no rules here. */
import { foldText } from '../../../shared/text/fold.js';
import { STOP_WORDS } from '../../../shared/text/stop-words.js';
import { MONTHS, WEEKDAYS } from './gate-words.js';
import { NAMESAKES, WORDS_THAT_NAME } from './names/doubtful-names.js';
import { CAPITALIZED_WORDS, FOREIGN_WORDS, GREETINGS } from './words-beside-names.js';

/** UTF-16 units of a text that are looked at. */
export const ENTITY_TEXT_LIMIT = 20_000;

export type Word = {
  /** As written, without the `'s` of a possessive. */
  readonly text: string;
  /** In lower case, without accents. */
  readonly key: string;
  readonly start: number;
  readonly end: number;
  /** What stands between the word before and this one. */
  readonly gap: string;
  readonly isCapitalized: boolean;
  readonly isPossessive: boolean;
  /** Its capital may be due to its place: a sentence, a line, a quotation begins. */
  readonly isFirst: boolean;
};

export type Page = {
  readonly text: string;
  readonly words: readonly Word[];
  /** Another language than English, in Latin script. */
  readonly isForeign: boolean;
  /** Otherwise the capital of a word tells nothing: another language, or a headline. */
  readonly isPlainEnglish: boolean;
  /** Capitalised words that stand together, as [index of the first, index behind the last]. */
  readonly runs: readonly Run[];
};
export type Run = readonly [from: number, to: number];

export function readPage(content: string): Page {
  const text = withoutAddresses(content.slice(0, ENTITY_TEXT_LIMIT));
  const words = readWords(text);
  const isInForeignTongue = isForeign(words);
  return {
    text,
    words,
    isForeign: isInForeignTongue,
    isPlainEnglish: !isInForeignTongue && !isHeadline(words),
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

/** What stands before a word, as far as a phrase reaches. */
export function textBefore({ text }: Page, { start }: Word): string {
  return text.slice(Math.max(0, start - PHRASE_LENGTH), start);
}

/** Links, mail addresses and paths are full of names of nobody. Blanks take their place, so that all else stands where it stood. */
function withoutAddresses(text: string): string {
  return text.replace(/\S+/gu, (chunk) => (ADDRESS.test(chunk) ? ' '.repeat(chunk.length) : chunk));
}

const ADDRESS = /:\/\/|\\|[^@]@[^@]+\.|^(?:\.{0,2}|~)\/|\/[^\s/]*\.[a-z]{1,4}[),.;:]?$/u;
const PHRASE_LENGTH = 48;
/** A dot or hyphen inside belongs to a word (`Node.js`, `Counter-Strike`), an underline to a constant (`JWT_SECRET`), and closing signs (`C++`). */
const WORD =
  /\p{Script=Latin}[\p{Script=Latin}\p{M}\p{N}]*(?:(?:['’&_-]|\.(?=[\p{Ll}\p{N}]))[\p{Script=Latin}\p{M}\p{N}]+)*(?:\+\+|#)?/gu;
const POSSESSIVE = /['’]s$/iu;
const CONTRACTION = /['’](?:m|ve|ll|d|re|t)$/iu;
/** A gap that does not begin anything: a blank, a comma, a bracket or a slash. */
const WITHIN = /^(?:,? \(?|\/|, )$/u;

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
      isFirst: order === 0 || !WITHIN.test(gap),
    };
  });
}

function readRuns(words: readonly Word[]): readonly Run[] {
  const runs: Run[] = [];
  let from: number | null = null;
  words.forEach((word, index) => {
    const isPart = mayName(word);
    if (from !== null && (!isPart || !continues(words[index - 1], word))) {
      runs.push([from, index]);
      from = null;
    }
    if (isPart && from === null) from = index;
  });
  return from === null ? runs : [...runs, [from, words.length]];
}

/** A blank, or the dot of an initial: `Ann B. Cook`, `J.R.R. Tolkien`. */
export function continues(before: Word | undefined, { gap }: Word): boolean {
  if (before === undefined || before.isPossessive) return false;
  return gap === ' ' || ((gap === '. ' || gap === '.') && before.text.length === 1);
}

/** Whether a capitalised word may be part of a name. */
export function mayName({ key, isCapitalized, isFirst }: Word): boolean {
  if (!isCapitalized || GREETINGS.has(key) || CAPITALIZED_WORDS.has(key) || WEEKDAYS.has(key)) return false;
  if (WORDS_THAT_NAME.has(key)) return !isFirst || !STOP_WORDS.has(key);
  return !STOP_WORDS.has(key) && !(MONTHS.has(key) && !NAMESAKES.has(key));
}

/** More of its small words are of another language than of English. German writes every noun with a capital. */
function isForeign(words: readonly Word[]): boolean {
  const count = (list: ReadonlySet<string>): number => words.filter(({ key }) => list.has(key)).length;
  return count(FOREIGN_WORDS) > count(STOP_WORDS);
}

const HEADLINE_WORDS = 5;
const HEADLINE_SHARE = 0.7;

/** Most words are capitalised, as in titles and shouting. */
function isHeadline(words: readonly Word[]): boolean {
  return (
    words.length >= HEADLINE_WORDS &&
    words.filter(({ text }) => /^\p{Lu}/u.test(text)).length > words.length * HEADLINE_SHARE
  );
}
