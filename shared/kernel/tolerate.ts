/**
 * Brings what the contract tolerates into the form that its schema demands, before validation. Pure: the value that came in is
 * never changed. What cannot be brought into form is left as it is, for validation to refuse.
 */
import { parseDecimal } from './numeric-text.js';
import { allowsNull, type SchemaNode, type Tolerance } from './schema-node.js';

export function tolerate(schema: SchemaNode, value: unknown): unknown {
  const formed = schema.accepts ? FORMS[schema.accepts](value, schema) : value;
  if (Array.isArray(formed)) {
    const { items } = schema;
    return items ? formed.map((item) => tolerate(items, item)) : formed;
  }
  return schema.properties && isObject(formed) ? tolerateProperties(schema.properties, formed) : formed;
}

/** A property that is null counts as absent unless its schema names null. What the schema does not name is not looked at: it may be millions. */
function tolerateProperties(properties: Readonly<Record<string, SchemaNode>>, value: object): object {
  const formed: Record<string, unknown> = { ...value };
  for (const [name, schema] of Object.entries(properties)) {
    if (!Object.hasOwn(formed, name)) continue;
    const property = tolerate(schema, formed[name]);
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

/** Blank text counts as absent. Parts that are no numbers stay, so that validation can say which kind of mistake it was. */
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

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
