/** Translates errors of the SQLite host to errors of the vector index. */
import { DependencyError } from '../../../kernel/errors.js';

/** For callers of the index, a failure of the database is a failure of the index. */
export function rethrowAsVectors(error: unknown): never {
  if (!(error instanceof DependencyError)) throw error;
  const { message, outcomeUnknown, retryAfterSeconds } = error;
  throw new DependencyError('vectors', message, { cause: error, outcomeUnknown, retryAfterSeconds });
}
