/**
 * Translates errors of Qdrant to our errors. Its client throws an error of fetch, its own timeout error, or an error
 * with a status.
 */
import { ConfigurationError } from '../../kernel/config/config.js';
import { DependencyError, PalimpsestError, PoisonError } from '../../kernel/errors.js';
import { fetchFailure } from '../../kernel/fetch-failure.js';

/** Statuses of an invalid request, for which a retry cannot succeed. */
const REJECTED_REQUEST = [400, 413, 422];
const REJECTED_KEY = [401, 403];
const TEXT_LIMIT = 300;
const NAMED_IDS = 3;
const NO_ANSWER = 'Qdrant did not answer in time: try again, or raise QDRANT_TIMEOUT_SECONDS';

/** For `.catch` of a read. */
export function rethrowReadError(error: unknown): never {
  throw error instanceof PalimpsestError ? error : dependencyError(error, { outcomeUnknown: false });
}

/**
 * For `.catch` of a write of these memories. A rejected write is caused by them; the projector then writes each one
 * separately to find it.
 */
export function rethrowWriteError(error: unknown, ids: readonly string[]): never {
  if (error instanceof PalimpsestError) throw error;
  const { status, text } = answerOf(error);
  // Dimensions were checked against the collection at the start of the process, so another dimension means another
  // collection.
  const isOtherCollection = text.includes('dimension');
  if (REJECTED_REQUEST.includes(status) && !isOtherCollection) {
    const others = ids.length > NAMED_IDS ? ` or ${ids.length - NAMED_IDS} more` : '';
    throw new PoisonError(
      `Qdrant refuses the point of memory ${ids.slice(0, NAMED_IDS).join(', ')}${others} with status ${status}: see the log`,
      { cause: error },
    );
  }
  throw dependencyError(error, { outcomeUnknown: fetchFailure(error).kind !== 'unreachable' });
}

/** For `.catch` while a process starts: a rejected key stops the start, because waiting does not help. */
export function rethrowOpeningError(error: unknown): never {
  if (REJECTED_KEY.includes(answerOf(error).status)) {
    throw new ConfigurationError([
      'Qdrant does not accept the key: set QDRANT_API_KEY to one that may manage collections',
    ]);
  }
  if (error instanceof ConfigurationError) throw error;
  rethrowReadError(error);
}

export function statusOf(error: unknown): number {
  return answerOf(error).status;
}

/** `error`: a translated error of a read or write. */
export function isCollectionGone(error: unknown): boolean {
  return error instanceof DependencyError && statusOf(error.cause) === 404;
}

function dependencyError(error: unknown, { outcomeUnknown }: { readonly outcomeUnknown: boolean }): DependencyError {
  const { status, text } = answerOf(error);
  const problem = status > 0 ? problemOfAnswer(status) : problemWithoutAnswer(error);
  const retryAfterSeconds = Math.ceil(numberAt(error, 'retry_after') ?? 1);
  // The text of an answer may quote a value of a memory. It is in the cause, for the log.
  const detail = status > 0 || text === '' ? '' : ` (${text})`;
  return new DependencyError('vectors', `${problem}${detail}`, {
    cause: error,
    outcomeUnknown,
    retryAfterSeconds,
  });
}

function problemOfAnswer(status: number): string {
  if (REJECTED_KEY.includes(status))
    return 'Qdrant does not accept the key any more: set QDRANT_API_KEY and start again';
  if (status === 404)
    return 'The collection of the vectors is gone from Qdrant: the next write of the projectors makes it again';
  if (REJECTED_REQUEST.includes(status))
    return 'Qdrant refuses the request: start again if its collection was replaced, and see its log';
  return `Qdrant failed with status ${status}: try again, and see its log`;
}

function problemWithoutAnswer(error: unknown): string {
  const name = error instanceof Error ? error.name : '';
  if (name === 'QdrantClientTimeoutError') return NO_ANSWER;
  if (name === 'QdrantClientResourceExhaustedError') return 'Qdrant limits the rate of requests: try again later';
  const { kind, message } = fetchFailure(error);
  switch (kind) {
    case 'unreachable':
      return 'Qdrant cannot be reached: start it, or set QDRANT_URL';
    case 'timeout':
      return NO_ANSWER;
    case 'lost':
      return 'The connection to Qdrant was lost: try again, and see its log';
    case 'tls':
      return 'No TLS connection to Qdrant was made: check its certificate, and http or https in QDRANT_URL';
    case 'other':
      return `A request to Qdrant failed: ${message}`;
    default:
      return kind satisfies never;
  }
}

/** The status and text of an error; status 0 without a reply of the server. */
function answerOf(error: unknown): { readonly status: number; readonly text: string } {
  const status = numberAt(error, 'status') ?? 0;
  if (status === 0) return { status, text: fetchFailure(error).code };
  const said = property(property(property(error, 'data'), 'status'), 'error');
  return { status, text: typeof said === 'string' ? said.slice(0, TEXT_LIMIT) : '' };
}

function numberAt(value: unknown, name: string): number | null {
  const found = property(value, name);
  return typeof found === 'number' ? found : null;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
