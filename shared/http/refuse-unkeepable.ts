/** Refuses what JSON can say and no store can keep: NUL, half surrogates, numbers beyond a double. The depth is limited before. */
import { ValidationError } from '../kernel/errors.js';

const UNKEEPABLE = /[\0\p{Cs}]/u;
/** Without one of these - an escape of U+0000 or of a surrogate, an exponent or a run of digits of that length - there is nothing to find. */
const SUSPICIOUS = /\\u(?:0000|d[89a-f])|[\d.]e\+?\d{3}|(?<!\d)\d{200}/iu;

type Path = (string | number)[];

/** Throws a ValidationError that names where it stands. `json` is the text of the body: a body has millions of places, and few need a visit. */
export function refuseUnkeepable(body: object, json: string): void {
  if (SUSPICIOUS.test(json)) visit(body, []);
}

/** One path for the whole walk, longer on the way down and shorter on the way up; keys alone, as pairs of millions take seconds. */
function visit(value: unknown, path: Path): void {
  if (typeof value === 'string') refuseText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ValidationError(`'${nameOf(path)}' must be a number that fits a double`, fieldOf(path));
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) return value.forEach((item, index) => step(item, index, path));
  const object = value as Readonly<Record<string, unknown>>;
  for (const key of Object.keys(object)) {
    refuseText(key, path);
    step(object[key], key, path);
  }
}

function step(value: unknown, key: string | number, path: Path): void {
  path.push(key);
  visit(value, path);
  path.pop();
}

function refuseText(text: string, path: Path): void {
  if (!UNKEEPABLE.test(text)) return;
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
