/**
 * Serializes errors between threads. Our own error classes keep their class and fields; any other error becomes an
 * Error with its stack.
 */
import {
  ConflictError,
  DeadlineError,
  type Dependency,
  DependencyError,
  ForbiddenError,
  NotFoundError,
  type PalimpsestError,
  PoisonError,
  PreconditionError,
  RuleError,
  UnauthenticatedError,
  ValidationError,
} from '../../../kernel/errors.js';

/** Deeper causes are cut off. */
const CAUSE_DEPTH_LIMIT = 3;

export type SerializedError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  readonly cause: SerializedError | null;
};

export function serializeError(error: unknown, depth = 0): SerializedError {
  if (!(error instanceof Error))
    return { name: 'Error', message: String(error), stack: undefined, fields: {}, cause: null };
  const fields: Record<string, string | number | boolean | null> = {};
  for (const [name, value] of Object.entries(error)) {
    if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
      fields[name] = value as string | number | boolean | null;
  }
  const hasCause = error.cause !== undefined && depth < CAUSE_DEPTH_LIMIT;
  return {
    name: error.name,
    message: error.message,
    stack: error.stack,
    fields,
    cause: hasCause ? serializeError(error.cause, depth + 1) : null,
  };
}

export function deserializeError(serialized: SerializedError): Error {
  const cause = serialized.cause ? deserializeError(serialized.cause) : undefined;
  const error =
    ownError(serialized, cause) ??
    Object.assign(new Error(serialized.message, { cause }), serialized.fields, { name: serialized.name });
  if (cause !== undefined && error.cause === undefined) error.cause = cause;
  if (serialized.stack !== undefined) error.stack = serialized.stack;
  return error;
}

/** The same classes wrote the fields in the other thread, so the types of the fields are known. */
function ownError({ message, fields }: SerializedError, cause: Error | undefined): PalimpsestError | null {
  switch (String(fields['code'])) {
    case 'validation':
      return new ValidationError(message, fields['field'] as string | null);
    case 'not_found':
      return new NotFoundError(message);
    case 'rule':
      return new RuleError(message);
    case 'conflict':
      return new ConflictError(message, fields['retryAfterSeconds'] as number | null);
    case 'precondition':
      return new PreconditionError(message, fields['revision'] as number);
    case 'unauthenticated':
      return new UnauthenticatedError(message);
    case 'forbidden':
      return new ForbiddenError(message);
    case 'deadline':
      return new DeadlineError(message, fields['retryAfterSeconds'] as number);
    case 'poison':
      return new PoisonError(message);
    case 'dependency':
      return new DependencyError(fields['dependency'] as Dependency, message, {
        cause,
        outcomeUnknown: fields['outcomeUnknown'] as boolean,
        retryAfterSeconds: fields['retryAfterSeconds'] as number,
      });
    default:
      return null;
  }
}
