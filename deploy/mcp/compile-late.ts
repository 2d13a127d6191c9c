/**
 * Validators that are compiled when they are first needed. A client over stdio waits for the start, of which compiling all schemas was
 * a third, and few sessions use every tool.
 */
import type { Validator } from '../../shared/kernel/validate.js';

/** What `compile` would throw, the first value does. */
export function compileLate<T>(compile: () => Validator<T>): Validator<T> {
  let validate: Validator<T> | null = null;
  return (value) => {
    validate ??= compile();
    return validate(value);
  };
}
