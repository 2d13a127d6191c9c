/**
 * Parses a value from outside once: converts the forms that the contract tolerates, then checks the value against its
 * schema. Code behind a validator does not check again.
 */
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { isRecord } from '../is-record.js';
import { parseDecimal } from './numeric-text.js';
import { describeFinding, type Finding, type Problem } from './problem-text.js';
import { allowsNull, type SchemaNode, type Tolerance, TOLERANCES } from './schema-node.js';

export type Validated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };
export type Validator<T> = (value: unknown) => Validated<T>;

/**
 * Compiles the schema at the first value, because compiling all schemas takes a quarter of the start of a process. It
 * then throws for a schema that strict mode does not understand. The given value is never changed.
 */
export function createValidator<const S extends JSONSchema>(schema: S): Validator<FromSchema<S>> {
  // The schemas of the contract are objects within the subset of SchemaNode; strict compilation throws for any other.
  const node = schema as SchemaNode;
  let isValid: ValidateFunction | undefined;
  return (given) => {
    isValid ??= (ajv ??= createAjv()).compile(node);
    const value = coerce(node, given);
    // Ajv has checked the value against the schema from which the type is derived.
    if (isValid(value)) return { ok: true, value: value as FromSchema<S> };
    const [error] = isValid.errors ?? [];
    if (!error) throw new Error('Ajv rejected a value without a reason');
    return { ok: false, problem: describeFinding(node, findingOf(error)) };
  };
}

/**
 * The one Ajv instance of the service; it only caches compiled schemas. It stops at the first error (required names
 * first, then the properties in the order of the schema): collecting an error for each of a million wrong items would
 * help an attacker.
 */
let ajv: Ajv2020 | undefined;

/** Compiles what all schemas need. It takes 60 ms, which the first request with a body would stop all others for. */
export function prepareValidators(): void {
  (ajv ??= createAjv()).compile({});
}

function createAjv(): Ajv2020 {
  return addFormats
    .default(new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true }))
    .addKeyword({ keyword: 'accepts', metaSchema: { type: 'string', enum: TOLERANCES } })
    .addKeyword({ keyword: 'aliases', metaSchema: { type: 'object', additionalProperties: { type: 'string' } } });
}

function findingOf({ keyword, instancePath, params }: ErrorObject): Finding {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const further: unknown = params['missingProperty'] ?? params['additionalProperty'];
  return { keyword, path: typeof further === 'string' ? [...path, further] : path };
}

/**
 * Converts the tolerated forms of a value into the form that the schema requires, before validation. Pure: the given
 * value is never changed. A value that cannot be converted stays as it is, and validation then rejects it.
 */
function coerce(schema: SchemaNode, value: unknown): unknown {
  const formed = schema.accepts ? FORMS[schema.accepts](value, schema) : value;
  if (Array.isArray(formed)) {
    const { items } = schema;
    return items ? formed.map((item) => coerce(items, item)) : formed;
  }
  return schema.properties && isRecord(formed) ? coerceProperties(schema.properties, formed) : formed;
}

/**
 * A null property counts as absent unless its schema allows null. Properties outside the schema are skipped: there may
 * be millions of them.
 */
function coerceProperties(properties: Readonly<Record<string, SchemaNode>>, value: object): object {
  const formed: Record<string, unknown> = { ...value };
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(formed, name)) continue;
    const property = coerce(schema, formed[name]);
    if (property === null && !allowsNull(schema)) delete formed[name];
    else formed[name] = property;
  }
  return formed;
}

const FORMS: Readonly<Record<Tolerance, (value: unknown, schema: SchemaNode) => unknown>> = {
  numeric: toNumber,
  string_or_list: (value) => (typeof value === 'string' ? [value] : value),
  commas_or_list: toList,
  numbers_or_text: toNumbers,
  any_case: toListedCase,
};

/** More parts than any list may have. An array of 4 million of them takes the main thread 900 ms. */
const PARTS_LIMIT = 20_000;

/** A text with too many parts stays a text, which validation rejects. */
function toList(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parts = value.split(',', PARTS_LIMIT + 1);
  return parts.length > PARTS_LIMIT ? value : parts;
}

function toNumber(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? (parseDecimal(value) ?? value) : value;
}

/** Blank text counts as absent. Parts that are not numbers stay, so that validation can report the kind of mistake. */
function toNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? toNumber(item) : item));
  if (typeof value !== 'string') return value;
  const parts = value.split(',', PARTS_LIMIT).filter((part) => part.trim() !== '');
  return parts.length === 0 ? null : parts.map(toNumber);
}

function toListedCase(value: unknown, { enum: listed = [], aliases = {} }: SchemaNode): unknown {
  if (typeof value !== 'string') return value;
  const spelling = value.trim().toLowerCase();
  const named = listed.find((name) => typeof name === 'string' && name.toLowerCase() === spelling);
  return named ?? (Object.hasOwn(aliases, spelling) ? aliases[spelling] : value);
}
