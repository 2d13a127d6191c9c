/**
 * The identifiers of a query: tickets, commits, paths, error codes, versions, names out of code. Whoever writes one into a sentence asks
 * about just that. Judged by its spelling alone, as no store knows what will be asked for.
 */
import { analyze, MAX_QUERY_LENGTH } from './analyzer.js';
import { foldText } from './fold.js';
import { chunks } from './words.js';

/** As analysed terms. */
export type Identifier = {
  readonly whole: string;
  /** Its parts, which in a row are the identifier in another spelling, or within a longer one; none where a part was too short to be a term. */
  readonly parts: readonly string[];
};

/** More stand in a log or a listing, which is about none of them. */
export const MAX_IDENTIFIERS = 8;

/** Distinct, in the order of the query, its first ones. */
export function identifiersOf(query: string): readonly Identifier[] {
  const written = chunks(foldText(query.slice(0, MAX_QUERY_LENGTH)))
    .map(withoutContraction)
    .filter(isIdentifier);
  const byWhole = new Map(written.map((chunk) => [chunk.toLowerCase(), chunk]));
  return [...byWhole.values()].slice(0, MAX_IDENTIFIERS).flatMap((chunk) => {
    const [whole, ...parts] = analyze(chunk);
    return whole === undefined ? [] : [{ whole, parts: parts.length > 1 && !SHORT_PART.test(chunk) ? parts : [] }];
  });
}

/** Whether a word, as it is written, names one thing rather than a kind of things. */
export function isIdentifier(chunk: string): boolean {
  return SPELLINGS.some((spelling) => spelling.test(chunk)) && !AMOUNT.test(chunk) && !INITIALS.test(chunk);
}

const SPELLINGS: readonly RegExp[] = [
  // Digits beside letters: `9f86d081`, `PAY-1234`, `src/v2/app`.
  /(?=.*\p{L})(?=.*\p{N})/u,
  // A sign that no sentence has inside a word: `ERR_CONN_RESET`, `std::vector`, `main.ts`, `project:foo`.
  /[_@:\\]|\p{L}{2}\.\p{L}{2}/u,
  // A path. One slash alone says `or`.
  /\/.*\//u,
  // `parseUserName`; `YouTube` and `iPhone` are names.
  /^\p{Ll}{2,}\p{Lu}/u,
  // A version or an address; with one dot it is a number.
  /^\d+(?:\.\d+){2,}$/u,
  // A long number is no amount.
  /^\d{5,}$/u,
];
/** `5th`, `1990s`, `30min`, `6-month`, `10:30am`, `3D-printed`: how many, how long or when. */
const AMOUNT = /^(?:\d{1,3}(?:\.\d{1,2}|(?::\d{2}){1,2})?\p{L}{0,3}|\d{4}\p{L}{0,2})(?:-\p{Ll}+)*$/u;
/** `U.S`, `a.m`. */
const INITIALS = /^\p{L}(?:\.\p{L})+$/u;

/** One plain letter or digit, which is no term. */
const SHORT_PART = /(?<![\p{L}\p{N}\p{M}])[a-z0-9](?![\p{L}\p{N}\p{M}])/iu;

function withoutContraction(chunk: string): string {
  return chunk.replace(/'\p{L}{1,2}$/u, '');
}
