/**
 * Measures JSON text before it is parsed. 32 MB of brackets cost JSON.parse seconds and 1 GB; 31 MB of `{},` cost the
 * main thread 12 s and 1.8 GB; 11 MB of names cost it 1.2 s. This stops at the first limit.
 */
import { ValidationError } from '../../kernel/errors.js';

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

export type JsonLimits = { readonly depth: number; readonly values: number; readonly names: number };

/**
 * The limit that the text exceeds; null when it is within all of them. Counts brackets, commas and colons outside of
 * strings: each comma and each opening bracket is one value, and each colon one name of an object. The parser later
 * checks that the brackets match.
 */
export function jsonExcess(limits: JsonLimits, json: Uint8Array): keyof JsonLimits | null {
  let [depth, values, names] = [0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at + 1);
    else if (byte === COMMA) values += 1;
    else if (byte === COLON) names += 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      depth += 1;
      values += 1;
    } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    if (depth > limits.depth) return 'depth';
    if (values > limits.values) return 'values';
    if (names > limits.names) return 'names';
  }
  return null;
}

/** The position of the closing quote. A loop of its own, because most bytes of a large body are in strings. */
function endOfString(json: Uint8Array, from: number): number {
  let at = from;
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1;
  return at;
}

const UNSTORABLE = /[\0\p{Cs}]/u;
/** Without an escape of U+0000 or of a surrogate, a large exponent or 200 digits a text is storable. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])|[\d.]e\+?\d{3}|(?<!\d)\d{200}/iu;

type Path = (string | number)[];

/** Throws a ValidationError that names the path. The text shows quickly that most bodies need no walk. */
export function rejectUnstorableText(body: object, json: string): void {
  if (SUSPICIOUS.test(json)) visit(body, []);
}

/** One path for the whole walk, and keys in place of entries: millions of copies take seconds. */
function visit(value: unknown, path: Path): void {
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
  visit(value, path);
  path.pop();
}

function rejectText(text: string, path: Path): void {
  if (!UNSTORABLE.test(text)) return;
  const place = path.length === 0 ? 'The names of the fields' : `'${nameOf(path)}'`;
  throw new ValidationError(`${place} must not contain the character U+0000 or half a surrogate pair`, fieldOf(path));
}

/** `metadata.places[2].name` */
function nameOf(path: Path): string {
  return path.map((key, index) => (typeof key === 'number' ? `[${key}]` : index === 0 ? key : `.${key}`)).join('');
}

function fieldOf([first]: Path): string | null {
  return first === undefined ? null : String(first);
}
