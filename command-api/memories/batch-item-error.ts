/** Validation errors that name the index of a batch item. */
import { ValidationError } from '../../shared/kernel/errors.js';

/** Returns the result of the work; adds the item's index to its ValidationError. */
export function withItemIndex<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValidationError) throw batchItemError(index, ` is invalid: ${error.message}`, error.field);
    throw error;
  }
}

/** `text` follows `Memory at index i`. */
export function batchItemError(index: number, text: string, field: string | null): ValidationError {
  return new ValidationError(
    `Memory at index ${index}${text}`,
    field === null ? `memories[${index}]` : `memories[${index}].${field}`,
  );
}
