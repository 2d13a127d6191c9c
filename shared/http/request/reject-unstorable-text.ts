/**
 * Rejects values that JSON allows but no database can store: NUL, half surrogate pairs, numbers beyond a double. The
 * depth is already limited.
 */
import { ValidationError } from '../../kernel/errors.js';

const UNSTORABLE = /[\0\p{Cs}]/u;
/**
 * Only a text with one of these can be unstorable: an escape of U+0000 or of a surrogate, a large exponent, or 200
 * digits in a row.
 */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])|[\d.]e\+?\d{3}|(?<!\d)\d{200}/iu;

type Path = (string | number)[];

/**
 * Throws a ValidationError that names the path of the value. `json` is the text of the body: it shows quickly that most
 * bodies need no walk.
 */
export function rejectUnstorableText(body: object, json: string): void {
  if (SUSPICIOUS.test(json)) visit(body, []);
}

/**
 * The whole walk shares one path, because millions of copies take seconds. For the same reason it reads keys, not
 * entries.
 */
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
