/** The host's failures in the words of the graph. */
import { DependencyError } from '../../kernel/errors.js';

export async function asGraph<R>(work: Promise<R>): Promise<R> {
  try {
    return await work;
  } catch (error) {
    throw error instanceof DependencyError ? graphError(error) : error;
  }
}

/** What the operator must do about storage is said in the host's message, and a caller who stores has to hear of it. */
function graphError(error: DependencyError): DependencyError {
  const message = error.message.startsWith('Storage is full') ? error.message : 'Graph database unavailable';
  return new DependencyError('graph', message, {
    cause: error,
    outcomeUnknown: error.outcomeUnknown,
    retryAfterSeconds: error.retryAfterSeconds,
  });
}
