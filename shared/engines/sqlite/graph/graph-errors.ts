/** Translates errors of the SQLite host to errors of the graph. */
import { DependencyError } from '../../../kernel/errors.js';

export async function withGraphErrors<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DependencyError ? graphError(error) : error;
  }
}

/** Keeps the host's message about full storage, because it says what the operator must do and the caller needs it. */
function graphError(error: DependencyError): DependencyError {
  const message = error.message.startsWith('Storage is full') ? error.message : 'Graph database unavailable';
  return new DependencyError('graph', message, {
    cause: error,
    outcomeUnknown: error.outcomeUnknown,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}
