/** Reads a query string by the tables of `shared/contract/queries.ts`. What a table does not name is ignored. */
import type { QueryParameter } from '../contract/queries.js';
import { ValidationError } from '../kernel/errors.js';
import { parseFlag } from '../kernel/flag-text.js';
import { parseDecimal, parseDecimals } from '../kernel/numeric-text.js';

const INTEGER = /^[+-]?\d+$/u;

/** A property for every parameter that was given and could be read. Throws where the table refuses. */
export function parseQuery(
  table: readonly QueryParameter[],
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const parameter of table) {
    const given = textsOf(parameter, query);
    refuseUnstorable(parameter, given);
    const value = given.length === 0 ? undefined : read(parameter, given);
    if (value !== undefined) values[parameter.name] = value;
    else if (parameter.refuse !== undefined && (given.length > 0 || parameter.required)) {
      throw new ValidationError(parameter.refuse, parameter.name);
    }
  }
  return values;
}

/** Trimmed, without blank ones; the first name that has any wins. */
function textsOf({ name, aliases = [] }: QueryParameter, query: URLSearchParams): readonly string[] {
  for (const spelling of [name, ...aliases]) {
    const texts = query
      .getAll(spelling)
      .map((text) => text.trim())
      .filter((text) => text !== '');
    if (texts.length > 0) return texts;
  }
  return [];
}

function refuseUnstorable({ name }: QueryParameter, texts: readonly string[]): void {
  if (texts.some((text) => text.includes('\0')))
    throw new ValidationError(`'${name}' must not contain the character U+0000`, name);
}

/** Undefined means that it cannot be read. */
function read(parameter: QueryParameter, texts: readonly string[]): unknown {
  const text = texts[0] ?? '';
  switch (parameter.kind) {
    case 'text':
      return text;
    case 'flag':
      return parseFlag(text);
    case 'integer':
      return INTEGER.test(text) ? withinRange(parameter, parseDecimal(text)) : undefined;
    case 'number':
      return withinRange(parameter, parseDecimal(text));
    case 'choice':
      return parameter.choices?.find((choice) => choice === text.toLowerCase());
    case 'repeated':
      return texts;
    case 'list':
      return splitAtCommas(texts);
    case 'vector':
      return readVector(texts);
    default:
      return parameter.kind satisfies never;
  }
}

function withinRange(
  { minimum = -Infinity, maximum = Infinity, refuse }: QueryParameter,
  value: number | null,
): number | undefined {
  if (value === null) return undefined;
  const isWithin = value >= minimum && value <= maximum;
  if (refuse !== undefined) return isWithin ? value : undefined;
  const clamped = Math.min(Math.max(value, minimum), maximum);
  // Counts reach databases, which take no number beyond the safe ones.
  return Math.min(clamped, Number.MAX_SAFE_INTEGER);
}

function splitAtCommas(texts: readonly string[]): readonly string[] | undefined {
  const parts = texts
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return parts.length > 0 ? parts : undefined;
}

/** Every occurrence counts, so that a repeated parameter is a vector as well. */
function readVector(texts: readonly string[]): Float32Array | undefined {
  const numbers = parseDecimals(texts.join(','));
  const vector = numbers && Float32Array.from(numbers);
  return vector?.every(Number.isFinite) ? vector : undefined;
}
