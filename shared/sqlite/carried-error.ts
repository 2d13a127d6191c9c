/** Errors on their way between threads: our classes arrive as themselves with their fields, any other as an Error with its stack. */
import {
  ConflictError,
  DeadlineError,
  DependencyError,
  ForbiddenError,
  NotFoundError,
  PalimpsestError,
  PoisonError,
  PreconditionError,
  RuleError,
  UnauthenticatedError,
  ValidationError,
  type Dependency,
} from '../kernel/errors.js';

/** Causes of causes are cut off here. */
const CAUSE_DEPTH_LIMIT = 3;

export type CarriedError = {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;
  readonly cause: CarriedError | null;
};

export function packError(error: unknown, depth = 0): CarriedError {
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
    cause: hasCause ? packError(error.cause, depth + 1) : null,
  };
}

export function unpackError(carried: CarriedError): Error {
  const cause = carried.cause ? unpackError(carried.cause) : undefined;
  const error =
    ours(carried, cause) ??
    Object.assign(new Error(carried.message, { cause }), carried.fields, { name: carried.name });
  if (cause !== undefined && error.cause === undefined) error.cause = cause;
  if (carried.stack !== undefined) error.stack = carried.stack;
  return error;
}

/** The fields were written by these same classes on the other side, so their types are known. */
function ours({ message, fields }: CarriedError, cause: Error | undefined): PalimpsestError | null {
  switch (fields['code']) {
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
