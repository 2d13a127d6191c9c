/** Reads a query string by the tables of `shared/contract/queries.ts`. Parameters outside the table are ignored. */
import type { QueryParameter } from '../../contract/queries.js';
import { ValidationError } from '../../kernel/errors.js';
import { parseFlag } from '../../kernel/validation/flag-text.js';
import { parseDecimal, parseDecimals } from '../../kernel/validation/numeric-text.js';

const INTEGER = /^[+-]?\d+$/u;

/**
 * Returns a property for every parameter that is present and readable. Throws where the table has a `refuse` message.
 */
export function parseQuery(
  table: readonly QueryParameter[],
  query: URLSearchParams,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const parameter of table) {
    const given = textsOf(parameter, query);
    rejectUnstorable(parameter, given);
    const value = given.length === 0 ? undefined : read(parameter, given);
    if (value !== undefined) values[parameter.name] = value;
    else if (
      parameter.refuse !== undefined &&
      (given.length > 0 || parameter.required || isRefusedBlank(parameter, query))
    )
      throw new ValidationError(parameter.refuse, parameter.name);
  }
  return values;
}

function isRefusedBlank({ name, refusesBlank }: QueryParameter, query: URLSearchParams): boolean {
  return refusesBlank === true && query.has(name);
}

/** The trimmed texts without blank ones. The first name with such a text wins. */
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

function rejectUnstorable({ name }: QueryParameter, texts: readonly string[]): void {
  if (texts.some((text) => text.includes('\0')))
    throw new ValidationError(`'${name}' must not contain the character U+0000`, name);
}

/** Undefined when the text cannot be read. */
function read(parameter: QueryParameter, texts: readonly string[]): unknown {
  const text = texts[0] ?? '';
  switch (parameter.kind) {
    case 'text':
      return parameter.pattern === undefined || new RegExp(parameter.pattern, 'u').test(text) ? text : undefined;
    case 'flag':
      return parseFlag(text);
    case 'integer':
      return INTEGER.test(text) ? withinRange(parameter, parseDecimal(text)) : undefined;
    case 'number':
      return withinRange(parameter, parseDecimal(text));
    case 'choice':
      return parameter.choices?.find((choice) => choice === text.toLowerCase());
    case 'repeated':
      return withinLimit(parameter, texts);
    case 'list':
      return withinLimit(parameter, splitAtCommas(texts));
    case 'vector':
      return readVector(texts);
    default:
      return parameter.kind satisfies never;
  }
}

function withinRange(
  { name, minimum = -Infinity, maximum = Infinity, refuse, refuseRange }: QueryParameter,
  value: number | null,
): number | undefined {
  if (value === null) return undefined;
  const isWithin = value >= minimum && value <= maximum;
  if (refuseRange !== undefined && !isWithin) throw new ValidationError(refuseRange, name);
  if (refuse !== undefined) return isWithin ? Math.min(value, Number.MAX_SAFE_INTEGER) : undefined;
  const clamped = Math.min(Math.max(value, minimum), maximum);
  // Counts reach databases, which accept no number above the safe integers.
  return Math.min(clamped, Number.MAX_SAFE_INTEGER);
}

/** Each value costs a search something, in every engine that it asks. */
function withinLimit(
  { name, maximumItems = 0 }: QueryParameter,
  values: readonly string[],
): readonly string[] | undefined {
  if (values.length > maximumItems) {
    throw new ValidationError(
      `'${name}' must hold at most ${maximumItems} values, not ${values.length}: send fewer`,
      name,
    );
  }
  return values.length > 0 ? values : undefined;
}

function splitAtCommas(texts: readonly string[]): readonly string[] {
  return texts
    .flatMap((text) => text.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** All occurrences together form the vector, so a repeated parameter is a vector too. */
function readVector(texts: readonly string[]): Float32Array | undefined {
  const numbers = parseDecimals(texts.join(','));
  const vector = numbers && Float32Array.from(numbers);
  return vector?.every(Number.isFinite) ? vector : undefined;
}
