/**
 * Measures JSON text before it is parsed. 32 MB of brackets cost JSON.parse seconds and 1 GB; 31 MB of `{},` cost the
 * main thread 12 s and 1.8 GB; 11 MB of names cost it 1.2 s. This stops at the first limit.
 */
import { ValidationError } from '../../kernel/errors.js';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export type JsonLimits = { readonly depth: number; readonly values: number; readonly names: number };

/** A list that is a property of the outermost object, with the positions of its brackets. */
export type OuterList = {
  readonly open: number;
  /** The length of the text when the list has no end. */
  close: number;
  /** Commas between its items, each at least PART_BYTES after the one before it. */
  readonly commas: number[];
};

/** The items between two commas of an `OuterList`. JSON.parse takes at most 2 ms for so many. */
const PART_BYTES = 128 * 1024;

/**
 * The limit that the text exceeds; null when it is within all of them. Counts brackets, commas and colons outside of
 * strings: each comma and each opening bracket is one value, and each colon one name of an object. The parser later
 * checks that the brackets match.
 */
export function jsonExcess(limits: JsonLimits, json: Uint8Array): keyof JsonLimits | null {
  return createJsonScan(limits, json).scanUntil(json.length);
}

export type JsonScan = {
  /** Continues until this position. Returns the limit that the text exceeds, null when it is within all of them. */
  readonly scanUntil: (end: number) => keyof JsonLimits | null;
  /** The longest outer list that the scan saw; null without one. */
  readonly longestList: () => OuterList | null;
};

/** The scan of `jsonExcess`, for a text that is read in several steps. */
export function createJsonScan(limits: JsonLimits, json: Uint8Array): JsonScan {
  const state: ScanState = { at: 0, depth: 0, values: 0, names: 0, isInString: false, isObject: false };
  let list: OuterList | null = null;
  let longest: OuterList | null = null;

  function closeList(close: number): void {
    if (list === null) return;
    list.close = close;
    if (longest === null || close - list.open > longest.close - longest.open) longest = list;
    list = null;
  }

  function scanUntil(end: number): keyof JsonLimits | null {
    // Local variables: the loop takes three times as long with those of the closure.
    let { at, depth, values, names, isInString, isObject } = state;
    for (; at < end; at += 1) {
      if (isInString) {
        at = endOfString(json, at, end);
        if (at >= end) break;
        isInString = false;
        continue;
      }
      const byte = json[at];
      if (byte === QUOTE) isInString = true;
      else if (byte === COMMA) {
        values += 1;
        if (depth === 2) noteComma(list, at);
      } else if (byte === COLON) names += 1;
      else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth += 1;
        values += 1;
        if (depth === 1) isObject = byte === OPEN_OBJECT;
        else if (depth === 2 && byte === OPEN_LIST && isObject) list = { open: at, close: json.length, commas: [] };
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth -= 1;
        if (depth === 1) closeList(at);
      }
      if (depth > limits.depth) return 'depth';
      if (values > limits.values) return 'values';
      if (names > limits.names) return 'names';
    }
    Object.assign(state, { at, depth, values, names, isInString, isObject });
    return null;
  }

  return {
    scanUntil,
    longestList: () => {
      closeList(json.length);
      return longest;
    },
  };
}

type ScanState = {
  readonly at: number;
  readonly depth: number;
  readonly values: number;
  readonly names: number;
  readonly isInString: boolean;
  readonly isObject: boolean;
};

function noteComma(list: OuterList | null, at: number): void {
  if (list !== null && at - (list.commas.at(-1) ?? list.open) >= PART_BYTES) list.commas.push(at);
}

/** The position of the closing quote, or `end`. A loop of its own, because most bytes of a body are in strings. */
function endOfString(json: Uint8Array, from: number, end: number): number {
  let at = from;
  while (at < end && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const UNSTORABLE = /[\0\p{Cs}]/u;
/** Without an escape of U+0000 or of a surrogate, a large exponent or 200 digits a text is storable. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])|[\d.]e\+?\d{3}|(?<!\d)\d{200}/iu;

/** False for most texts of JSON: their values need no walk. */
export function mayBeUnstorable(json: string): boolean {
  return SUSPICIOUS.test(json);
}

type Path = (string | number)[];

/**
 * Throws a ValidationError that names the path of a value that no database can store. One path for the whole walk, and
 * keys in place of entries: millions of copies take seconds.
 */
export function rejectUnstorable(value: unknown, path: Path = []): void {
  if (typeof value === 'string') rejectText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ValidationError(`'${nameOf(path)}' must be a number that fits a double`, fieldOf(path));
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((item, index) => step(item, index, path));
  const object = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(object)) {
    rejectText(key, path);
    step(object[key], key, path);
  }
}

function step(value: unknown, key: string | number, path: Path): void {
  path.push(key);
  rejectUnstorable(value, path);
  path.pop();
}

function rejectText(text: string, path: Path): void {
  if (!UNSTORABLE.test(text)) return;
  const name = path.length === 0 ? 'The names of the fields' : `'${nameOf(path)}'`;
  throw new ValidationError(`${name} must not contain the character U+0000 or half a surrogate pair`, fieldOf(path));
}

/** `metadata.places[2].name` */
function nameOf(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

function fieldOf([first]: Path): string | null {
  return first === undefined ? null : String(first);
}
