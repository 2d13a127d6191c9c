/** Reads a query string by the tables of `shared/contract/queries.ts`, and the headers of a command. */
import { IDEMPOTENCY_KEY_LENGTH_LIMIT } from '../../contract/limits.js';
import type { QueryParameter } from '../../contract/queries.js';
import { STREAM_ADVICE } from '../../contract/stream.js';
import { ValidationError } from '../../kernel/errors.js';
import { parseFlag } from '../../kernel/validation/flag-text.js';
import { parseDecimal, parseDecimals } from '../../kernel/validation/numeric-text.js';
import type { Cursors } from './cursors.js';

const INTEGER = /^[+-]?\d+$/u;

/** A property for every readable parameter. Throws where the table has a `refuse` message. */
export function parseQuery(
  table: readonly QueryParameter[],
  query: URLSearchParams,
  cursors: Cursors,
): Readonly<Record<string, unknown>> {
  const values: Record<string, unknown> = {};
  for (const parameter of table) {
    const given = textsOf(parameter, query);
    rejectUnstorable(parameter, given);
    const value = given.length === 0 ? undefined : read(parameter, given, cursors);
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
function read(parameter: QueryParameter, texts: readonly string[], cursors: Cursors): unknown {
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
    case 'position':
      return cursors.positionOf(text, { name: parameter.name, advice: parameter.advice ?? '' }) ?? undefined;
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

const PRINTABLE_ASCII = /^[\x20-\x7e]+$/u;
/** An ETag of a memory. A proxy that compresses makes it weak (`W/"7"`); the revision in it is the same. */
const REVISION = /^(?:(?:W\/)?"(?<quoted>\d{1,15})"|(?<bare>\d{1,15}))$/u;

export function readIdempotencyKey(header: string): string {
  if (header.length <= IDEMPOTENCY_KEY_LENGTH_LIMIT && PRINTABLE_ASCII.test(header)) return header;
  const text = `Idempotency-Key must have 1 to ${IDEMPOTENCY_KEY_LENGTH_LIMIT} printable ASCII characters`;
  throw new ValidationError(text, 'Idempotency-Key');
}

/** Revisions as in the ETag (`"7"`, `W/"7"`), or without quotes, separated by commas; or `*`. */
export function readIfMatch(header: string): readonly number[] | '*' {
  const text = header.trim();
  return text === '*' ? '*' : text.split(',').map(readRevision);
}

function readRevision(tag: string): number {
  const { quoted, bare } = REVISION.exec(tag.trim())?.groups ?? {};
  const revision = quoted ?? bare;
  if (revision === undefined)
    throw new ValidationError('If-Match must be an ETag of the memory, such as "7", a list of them, or *', 'If-Match');
  return Number(revision);
}

/** The id of the last event that the caller received; null for a blank header. */
export function readLastEventId(header: string, cursors: Cursors): number | null {
  const text = header.trim();
  if (text === '') return null;
  const position = cursors.positionOf(text, { name: 'Last-Event-ID', advice: STREAM_ADVICE });
  if (position === null)
    throw new ValidationError('Last-Event-ID must be the id of an event of the stream', 'Last-Event-ID');
  return position;
}
