/**
 * Parses a value from outside once: converts the forms that the contract tolerates, then checks the value against its schema. Code behind a
 * validator does not check again.
 */
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';
import { coerce } from './coerce.js';
import { describeFinding, type Finding, type Problem } from './problem-text.js';
import { type SchemaNode, TOLERANCES } from './schema-node.js';

export type Validated<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: Problem };
export type Validator<T> = (value: unknown) => Validated<T>;

/**
 * Compiles the schema and throws for one that strict mode does not understand. With `late` it compiles at the first value: a process that
 * may not need the schema then starts faster. The given value is never changed.
 */
export function createValidator<const S extends JSONSchema>(
  schema: S,
  { late = false }: { readonly late?: boolean } = {},
): Validator<FromSchema<S>> {
  // The schemas of the contract are objects within the subset of SchemaNode; strict compilation throws for any other.
  const node = schema as SchemaNode;
  let isValid = late ? null : ajv.compile(node);
  return (given) => {
    isValid ??= ajv.compile(node);
    const value = coerce(node, given);
    // Ajv has checked the value against the schema from which the type is derived.
    if (isValid(value)) return { ok: true, value: value as FromSchema<S> };
    const [error] = isValid.errors ?? [];
    if (!error) throw new Error('Ajv rejected a value without a reason');
    return { ok: false, problem: describeFinding(node, findingOf(error)) };
  };
}

/**
 * The one Ajv instance of the service; it only caches compiled schemas. It stops at the first error (required names first, then the
 * properties in the order of the schema): collecting an error for each of a million wrong items would help an attacker.
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
