/** What the schemas of answers are made of. */
export const text = { type: 'string' } as const;
export const number = { type: 'number' } as const;
export const count = { type: 'integer', minimum: 0 } as const;
export const flag = { type: 'boolean' } as const;

/** An object of these properties and no others, all of them present but for the optional ones. */
export function closed<
  const P extends Record<string, unknown>,
  const O extends readonly (keyof P & string)[] = readonly [],
>(properties: P, optional?: O) {
  const left = new Set<string>(optional ?? []);
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties).filter((name) => !left.has(name)),
    properties,
  } as const;
}
