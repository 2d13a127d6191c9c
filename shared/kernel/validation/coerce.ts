/**
 * Converts the tolerated forms of a value into the form that the schema requires, before validation. Pure: the given value is never
 * changed. A value that cannot be converted stays as it is, and validation then rejects it.
 */
import { isRecord } from '../is-record.js';
import { parseDecimal } from './numeric-text.js';
import { allowsNull, type SchemaNode, type Tolerance } from './schema-node.js';

export function coerce(schema: SchemaNode, value: unknown): unknown {
  const formed = schema.accepts ? FORMS[schema.accepts](value, schema) : value;
  if (Array.isArray(formed)) {
    const { items } = schema;
    return items ? formed.map((item) => coerce(items, item)) : formed;
  }
  return schema.properties && isRecord(formed) ? coerceProperties(schema.properties, formed) : formed;
}

/** A null property counts as absent unless its schema allows null. Properties outside the schema are skipped: there may be millions of them. */
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
  commas_or_list: (value) => (typeof value === 'string' ? value.split(',') : value),
  numbers_or_text: toNumbers,
  any_case: toListedCase,
};

function toNumber(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0;
  return typeof value === 'string' ? (parseDecimal(value) ?? value) : value;
}

/** Blank text counts as absent. Parts that are not numbers stay, so that validation can report the kind of mistake. */
function toNumbers(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => (typeof item === 'string' ? toNumber(item) : item));
  if (typeof value !== 'string') return value;
  const parts = value.split(',').filter((part) => part.trim() !== '');
  return parts.length === 0 ? null : parts.map(toNumber);
}

function toListedCase(value: unknown, { enum: listed = [], aliases = {} }: SchemaNode): unknown {
  if (typeof value !== 'string') return value;
  const spelling = value.trim().toLowerCase();
  const named = listed.find((name) => typeof name === 'string' && name.toLowerCase() === spelling);
  return named ?? (Object.hasOwn(aliases, spelling) ? aliases[spelling] : value);
}
