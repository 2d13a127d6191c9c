/** The building blocks of the schemas of answers, and the answer to a failure. */
import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

type DeepReadonly<T> = T extends readonly (infer E)[]
  ? readonly DeepReadonly<E>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T;
/** The type of the JSON that a schema describes. */
export type ValueOf<S> = S extends JSONSchema ? DeepReadonly<FromSchema<S>> : never;

export const text = { type: 'string' } as const;
export const number = { type: 'number' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const flag = { type: 'boolean' } as const;
export const textOrNull = { type: ['string', 'null'] } as const;
export const textList = { type: 'array', items: text } as const;
export const success = { type: 'string', const: 'success' } as const;

/** In a successful answer to a request with unknown names. */
export const warnings = {
  type: 'array',
  items: text,
  minItems: 1,
  description: 'Names in the request that are not known here and were ignored, each with the nearest known name.',
} as const;

/** An object with exactly these properties. */
export function closed<
  const R extends Record<string, unknown>,
  const O extends Record<string, unknown> = Record<never, never>,
>(required: R, optional?: O) {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required) as (keyof R & string)[],
    properties: { ...required, ...optional } as { readonly [K in keyof R | keyof O]: (R & O)[K] },
  } as const;
}

/** The error body of the service. `message` and `error` have the same text. */
export const problemSchema = closed(
  {
    status: { type: 'string', const: 'error' },
    code: { type: 'integer', description: 'The HTTP status.' },
    message: text,
    error: text,
  },
  {
    detail: { ...text, description: 'What was found in place of what the message asks for.' },
    hint: { ...text, description: 'What to do, and the names in the request that were ignored.' },
    field: { ...text, description: 'The invalid field, if there is one.' },
    revision: { type: 'integer', description: 'With status 412: the present revision of the memory.' },
    request_id: text,
  },
);
export type Problem = FromSchema<typeof problemSchema>;
