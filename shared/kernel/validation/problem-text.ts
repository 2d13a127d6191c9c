/** Describes the problem of a value in the words of the contract. A list of plain values is described as a whole. */
import { nearestName } from '../nearest-name.js';
import type { SchemaNode } from './schema-node.js';

export type Problem = {
  /** `importance`, `items[2].strength`; null when the value as a whole is wrong. */
  readonly field: string | null;
  readonly message: string;
};

/** The JSON Schema keyword that failed, and the path to the value that failed. */
export type Finding = { readonly keyword: string; readonly path: readonly string[] };

export function describeFinding(schema: SchemaNode, { keyword, path }: Finding, field: string | null = null): Problem {
  const [name, ...below] = path;
  if (name === undefined) return { field, message: messageFor(field, schema, keyword) };
  const { items, properties = {} } = schema;
  if (items && !items.properties) return { field, message: messageFor(field, schema, 'items') };
  if (items) return describeFinding(items, { keyword, path: below }, `${field ?? ''}[${name}]`);
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  if (property === undefined && keyword === 'additionalProperties')
    return unknownName(name, { field, known: Object.keys(properties) });
  return describeFinding(property ?? {}, { keyword, path: below }, field === null ? name : `${field}.${name}`);
}

/** Limit for an unknown name in a message: the name itself may have megabytes. */
const SHOWN_CHARACTERS = 100;

function unknownName(
  name: string,
  { field, known }: { readonly field: string | null; readonly known: readonly string[] },
): Problem {
  const shown = `${field === null ? '' : `${field}.`}${name.slice(0, SHOWN_CHARACTERS)}`;
  const nearest = nearestName(name, known);
  const others = known.length === 0 ? 'nothing is' : known.join(', ');
  const meant = nearest === null ? '' : `did you mean '${nearest}'? `;
  return { field: shown, message: `'${shown}' must be left out: it is not known here (${meant}known: ${others})` };
}

function messageFor(field: string | null, schema: SchemaNode, keyword: string): string {
  if (schema.accepts === 'numbers_or_text') return numbersMessage(field ?? 'value', keyword);
  const subject = field === null ? 'the value' : `'${field}'`;
  if (isRequiredText(schema) && keyword === 'type') return `${subject} must be text`;
  if (keyword === 'required' || isRequiredText(schema)) return `${subject} is required`;
  return `${subject} must ${obligation(schema, keyword)}`;
}

/** Text that must not be blank. Missing and blank count as the same mistake. */
function isRequiredText({ type, minLength = 0 }: SchemaNode): boolean {
  return type === 'string' && minLength > 0;
}

function numbersMessage(field: string, keyword: string): string {
  const subject = field.charAt(0).toUpperCase() + field.slice(1);
  return keyword === 'items'
    ? `${subject} must contain numeric values`
    : `${subject} must be a list of floats or a comma-separated string`;
}

function obligation(schema: SchemaNode, keyword: string): string {
  if (schema.enum) return `be one of ${schema.enum.map(String).join(', ')}`;
  if (schema.accepts === 'string_or_list' || schema.accepts === 'commas_or_list')
    return 'be a list of strings or a single string';
  switch (keyword) {
    case 'minimum':
    case 'maximum':
      return range(schema);
    case 'minItems':
      return 'be a non-empty array';
    case 'maxItems':
      return `have at most ${schema.maxItems} items`;
    case 'maxLength':
      return `have at most ${schema.maxLength} characters`;
    case 'pattern':
      return `match ${schema.pattern}`;
    case 'format':
      return `be a valid ${schema.format}`;
    default:
      return NOUNS[mainType(schema)] ?? 'have another form';
  }
}

function range({ minimum, maximum }: SchemaNode): string {
  if (minimum !== undefined && maximum !== undefined) return `be between ${minimum} and ${maximum}`;
  return minimum !== undefined ? `be at least ${minimum}` : `be at most ${maximum}`;
}

function mainType({ type }: SchemaNode): string {
  return typeof type === 'string' ? type : (type?.find((name) => name !== 'null') ?? '');
}

const NOUNS: Readonly<Record<string, string>> = {
  string: 'be a string',
  number: 'be a number',
  integer: 'be a whole number',
  boolean: 'be true or false',
  object: 'be an object',
  array: 'be a list',
};
