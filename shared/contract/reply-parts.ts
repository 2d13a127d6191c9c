/** The building blocks of the schemas of answers. */
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

/** An object with exactly these properties; all are required except the optional ones. */
export function closed<
  const P extends Record<string, unknown>,
  const O extends readonly (keyof P & string)[] = readonly [],
>(properties: P, optional?: O) {
  const optionalNames = new Set<string>(optional ?? []);
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties).filter((name) => !optionalNames.has(name)) as Exclude<
      keyof P & string,
      O[number]
    >[],
    properties,
  } as const;
}
