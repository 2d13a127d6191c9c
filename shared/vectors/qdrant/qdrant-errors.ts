/** Qdrant's errors in our words. Its client throws what fetch throws, an error of its own on a timeout, or one with a status. */
import { ConfigurationError } from '../../kernel/config.js';
import { DependencyError, PalimpsestError, PoisonError } from '../../kernel/errors.js';

/** Statuses that no retry mends: what was sent is at fault. */
const REFUSED = [400, 413, 422];
const UNKNOWN_KEY = [401, 403];
const TEXT_LIMIT = 300;
const NAMED_IDS = 3;

/** For `.catch` of a read. */
export function rethrowRead(error: unknown): never {
  throw error instanceof PalimpsestError ? error : unanswered(error, { outcomeUnknown: false });
}

/** For `.catch` of a write of these memories. A refused write is their fault; the projector then tries each alone, and finds which. */
export function rethrowWrite(error: unknown, ids: readonly string[]): never {
  if (error instanceof PalimpsestError) throw error;
  const { status, text } = refusalOf(error);
  // Sizes were checked against the collection that was there when the process started.
  const isOtherCollection = text.includes('dimension');
  if (REFUSED.includes(status) && !isOtherCollection) {
    const others = ids.length > NAMED_IDS ? ` or ${ids.length - NAMED_IDS} more` : '';
    throw new PoisonError(`Qdrant refuses the point of memory ${ids.slice(0, NAMED_IDS).join(', ')}${others}: ${text}`);
  }
  throw unanswered(error, { outcomeUnknown: !isConnectionRefused(error) });
}

/** For `.catch` while a process starts: a key that is not accepted will not be later, and stops the start. */
export function rethrowOpening(error: unknown): never {
  if (UNKNOWN_KEY.includes(refusalOf(error).status)) {
    throw new ConfigurationError([
      'Qdrant does not accept the key: set QDRANT_API_KEY to one that may manage collections',
    ]);
  }
  if (error instanceof ConfigurationError) throw error;
  rethrowRead(error);
}

export function statusOf(error: unknown): number {
  return refusalOf(error).status;
}

function unanswered(error: unknown, { outcomeUnknown }: { readonly outcomeUnknown: boolean }): DependencyError {
  const { status, text } = refusalOf(error);
  const retryAfterSeconds = Math.ceil(numberAt(error, 'retry_after') ?? 1);
  const told = text === '' ? '' : ` (${text})`;
  return new DependencyError('vectors', `${wordsFor(status, error)}${told}`, {
    cause: error,
    outcomeUnknown,
    retryAfterSeconds,
  });
}

function wordsFor(status: number, error: unknown): string {
  if (UNKNOWN_KEY.includes(status))
    return 'Qdrant does not accept the key any more: set QDRANT_API_KEY and start again';
  if (status === 404) return 'The collection of the vectors is gone from Qdrant: run the migration, or start again';
  if (REFUSED.includes(status))
    return 'Qdrant refuses the request: start again if its collection was replaced, and see its log';
  if (status > 0) return `Qdrant failed with status ${status}: try again, and see its log`;
  const isTimeout = error instanceof Error && error.name === 'QdrantClientTimeoutError';
  if (isTimeout) return 'Qdrant did not answer in time: try again, or raise QDRANT_TIMEOUT_SECONDS';
  return 'Qdrant does not answer: start it, or set QDRANT_URL';
}

/** Status 0 for what is no answer. */
function refusalOf(error: unknown): { readonly status: number; readonly text: string } {
  const status = numberAt(error, 'status') ?? 0;
  if (status === 0) return { status, text: codeOf(error) };
  const said = property(property(property(error, 'data'), 'status'), 'error');
  return { status, text: typeof said === 'string' ? said.slice(0, TEXT_LIMIT) : '' };
}

/** The system's own word under fetch's `fetch failed`. */
function codeOf(error: unknown): string {
  const code = property(property(error, 'cause'), 'code');
  return typeof code === 'string' ? code : '';
}

function isConnectionRefused(error: unknown): boolean {
  return codeOf(error) === 'ECONNREFUSED';
}

function numberAt(value: unknown, name: string): number | null {
  const found = property(value, name);
  return typeof found === 'number' ? found : null;
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
