/** Arguments that a schema allows one by one and that do not go together. */
import type { Fields } from './reply-fields.js';

/** The names of those present in `input` beside `allowed`. */
export function fieldsBeside(input: Fields, allowed: readonly string[]): readonly string[] {
  return Object.keys(input).filter((name) => input[name] !== undefined && !allowed.includes(name));
}

export function quoted(names: readonly string[]): string {
  return names.map((name) => `'${name}'`).join(', ');
}
