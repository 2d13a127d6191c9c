/**
 * The error for a position above the head of the journal: it comes from another journal, or from this one before it was
 * restored.
 */
import { ValidationError } from '../kernel/errors.js';

/**
 * An error, because waiting for the position would skip the events until then. `advice`: what the caller does instead.
 */
export function beyondHeadError(
  field: string,
  {
    position,
    head,
    advice = 'start again from a position of this journal',
  }: {
    readonly position: number;
    readonly head: number;
    readonly advice?: string;
  },
): ValidationError {
  return new ValidationError(`'${field}' is ${position}, beyond the journal's last position ${head}: ${advice}`, field);
}
