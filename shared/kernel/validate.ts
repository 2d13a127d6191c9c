/**
 * Values from outside are parsed here, once: what the contract tolerates is brought into form, the rest is held against the
 * schema. Past a validator nothing checks again.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { describeFinding, type Finding, type Problem } from './problem-text.js';
import { TOLERANCES, type SchemaNode } from './schema-node.js';
import { tolerate } from './tolerate.js';

export type Validated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };
export type Validator<T> = (value: unknown) => Validated<T>;

/**
 * Compiles the schema; one that strict mode does not understand throws at once, or with the first value where it compiles `late`: for a
 * process whose start somebody waits for, and which may not need it. The value given is never changed.
 */
export function createValidator<const S extends JSONSchema>(
  schema: S,
  { late = false }: { readonly late?: boolean } = {},
): Validator<FromSchema<S>> {
  // The contract's schemas are objects within the subset that SchemaNode describes, and strict compilation says so where one is not.
  const node = schema as SchemaNode;
  let isValid = late ? null : ajv.compile(node);
  return (given) => {
    isValid ??= ajv.compile(node);
    const value = tolerate(node, given);
    // Ajv has held the value against the schema from which the type is derived.
    if (isValid(value)) return { ok: true, value: value as FromSchema<S> };
    const [error] = isValid.errors ?? [];
    if (!error) throw new Error('a value was refused without a reason');
    return { ok: false, problem: describeFinding(node, findingOf(error)) };
  };
}

/**
 * The one Ajv of the service; it only caches compiled schemas. It stops at the first error - what is required, then the properties in
 * the order of the schema - because an error for each of a million wrong items would be a gift to whoever sends them.
 */
const ajv = addFormats
  .default(new Ajv2020({ strict: true, allErrors: false, allowUnionTypes: true }))
  .addKeyword({ keyword: 'accepts', metaSchema: { type: 'string', enum: TOLERANCES } })
  .addKeyword({ keyword: 'aliases', metaSchema: { type: 'object', additionalProperties: { type: 'string' } } });

function findingOf({ keyword, instancePath, params }: ErrorObject): Finding {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const further: unknown = params['missingProperty'] ?? params['additionalProperty'];
  return { keyword, path: typeof further === 'string' ? [...path, further] : path };
}
