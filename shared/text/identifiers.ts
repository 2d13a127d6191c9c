/**
 * Finds the identifiers in a query: tickets, commits, paths, error codes, versions, names in code. A query with an
 * identifier asks about exactly that thing. Only the spelling decides, because stored memories cannot show what callers
 * will ask for.
 */
import { QUERY_LENGTH_LIMIT } from '../contract/limits.js';
import { analyze } from './analyzer.js';
import { foldText } from './fold.js';
import { chunks } from './words.js';

/** An identifier as terms of the analyzer. */
export type Identifier = {
  readonly whole: string;
  /**
   * Its parts. In this order they match another spelling of the identifier, or a longer identifier. Empty when a part
   * is too short to be a term.
   */
  readonly parts: readonly string[];
};

/** A text with more identifiers is a log or a listing, which is not about each of them. */
export const MAX_IDENTIFIERS = 8;

/** The first MAX_IDENTIFIERS distinct identifiers, in the order of the query. */
export function identifiersOf(query: string): readonly Identifier[] {
  const written = chunks(foldText(query.slice(0, QUERY_LENGTH_LIMIT)))
    .map(withoutContraction)
    .filter(isIdentifier);
  const byWhole = new Map(written.map((chunk) => [chunk.toLowerCase(), chunk]));
  return [...byWhole.values()].slice(0, MAX_IDENTIFIERS).flatMap((chunk) => {
    const [whole, ...parts] = analyze(chunk);
    return whole === undefined ? [] : [{ whole, parts: parts.length > 1 && !SHORT_PART.test(chunk) ? parts : [] }];
  });
}

/** The word, in its original spelling, names a single thing, not a kind of thing. */
export function isIdentifier(chunk: string): boolean {
  return SPELLINGS.some((spelling) => spelling.test(chunk)) && !AMOUNT.test(chunk) && !INITIALS.test(chunk);
}

const SPELLINGS: readonly RegExp[] = [
  // Letters and digits: `9f86d081`, `PAY-1234`, `src/v2/app`.
  /^(?=.*\p{L})(?=.*\p{N})/u,
  // A sign that words of a sentence do not contain: `ERR_CONN_RESET`, `std::vector`, `main.ts`, `project:foo`.
  /[_@:\\]|\p{L}{2}\.\p{L}{2}/u,
  // A path. A single slash means `or`.
  /\/.*\//u,
  // `parseUserName`; `YouTube` and `iPhone` are names.
  /^\p{Ll}{2,}\p{Lu}/u,
  // A version or an IP address; with one dot it is a number.
  /^\d+(?:\.\d+){2,}$/u,
  // A long number is an id, not an amount.
  /^\d{5,}$/u,
];
/** An amount, a duration or a time: `5th`, `1990s`, `30min`, `6-month`, `10:30am`, `3D-printed`. */
const AMOUNT = /^(?:\d{1,3}(?:\.\d{1,2}|(?::\d{2}){1,2})?\p{L}{0,3}|\d{4}\p{L}{0,2})(?:-\p{Ll}+)*$/u;
/** `U.S`, `a.m`. */
const INITIALS = /^\p{L}(?:\.\p{L})+$/u;

/** A single plain letter or digit, which is not a term. */
const SHORT_PART = /(?<![\p{L}\p{N}\p{M}])[a-z0-9](?![\p{L}\p{N}\p{M}])/iu;

function withoutContraction(chunk: string): string {
  return chunk.replace(/'\p{L}{1,2}$/u, '');
}
