/** What a batch says of the item that it cannot take: where it stands. */
import { ValidationError } from '../../shared/kernel/errors.js';

/** The work's result; a refusal of it names the item. */
export function namingIndex<T>(index: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ValidationError) throw refusedItem(index, ` is invalid: ${error.message}`, error.field);
    throw error;
  }
}

/** `text` follows `Memory at index i`. */
export function refusedItem(index: number, text: string, field: string | null): ValidationError {
  return new ValidationError(
    `Memory at index ${index}${text}`,
    field === null ? `memories[${index}]` : `memories[${index}].${field}`,
  );
}
