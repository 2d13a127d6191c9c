/** What a reader is told whose position the journal does not have: it is of another journal, or of this one before it was restored. */
import { ValidationError } from '../../shared/kernel/errors.js';

/** To wait for the position would lose what is written until then. `advice`: what to do instead. */
export function beyondHead(
  field: string,
  {
    position,
    head,
    advice = 'begin again from one that it has',
  }: {
    readonly position: number;
    readonly head: number;
    readonly advice?: string;
  },
): ValidationError {
  return new ValidationError(`'${field}' is ${position}, beyond the journal's last position ${head}: ${advice}`, field);
}
