/** The refusals of the stores of the vector spaces. */
import { NotFoundError, RuleError } from '../kernel/errors.js';

export function otherSpaceError(): RuleError {
  return new RuleError('Another vector index is being built: wait for the end of its job');
}

export function activeSpaceError(number: number): RuleError {
  return new RuleError(`Vector space ${number} is active: activate another one before you drop it`);
}

export function unknownSpaceError(number: number): NotFoundError {
  return new NotFoundError(`There is no vector space ${number}: start the job again`);
}
