/** Refuses what JSON can say and no store can keep: NUL, half surrogates, numbers beyond a double. The depth is limited before. */
import { ValidationError } from '../kernel/errors.js';

const UNKEEPABLE = /[\0\p{Cs}]/u;

/** How the text of a body must look to hold any of it: as an escape, a large exponent or very many digits. */
const MAY_BE_UNKEEPABLE = /\\u(?:0000|d[89a-f])|\de\+?\d{3}|\d{309}/iu;

type Path = (string | number)[];

/** Throws a ValidationError that names where it stands. Looks at the text first: walking a body of millions of places takes seconds. */
export function refuseUnkeepable(body: object, text: string): void {
  if (MAY_BE_UNKEEPABLE.test(text)) visit(body, []);
}

/** One path for the whole walk, longer on the way down and shorter on the way up: a body has millions of places. */
function visit(value: unknown, path: Path): void {
  if (typeof value === 'string') refuseText(value, path);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new ValidationError(`'${nameOf(path)}' must be a number that fits a double`, fieldOf(path));
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) value.forEach((item, index) => step(item, index, path));
  else Object.entries(value).forEach(([key, item]) => (refuseText(key, path), step(item, key, path)));
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
