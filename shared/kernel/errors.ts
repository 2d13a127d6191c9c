/**
 * The error tree. No HTTP in it: each edge (HTTP, projector policy, MCP) maps `code` in one file of its own. Adapters translate
 * their vendor's errors at their own door and keep the original as `cause`. Anything that is none of these is a bug.
 */
export abstract class PalimpsestError extends Error {
  abstract readonly code: string;
  /** True when the same call may succeed later without any change by the caller. */
  abstract readonly isRetryable: boolean;
  override get name(): string {
    return this.constructor.name;
  }
}

/** The caller sent something that cannot be accepted; the message names the field. */
export class ValidationError extends PalimpsestError {
  readonly code = 'validation';
  readonly isRetryable = false;
  constructor(
    message: string,
    readonly field: string | null = null,
  ) {
    super(message);
  }
}

export class NotFoundError extends PalimpsestError {
  readonly code = 'not_found';
  readonly isRetryable = false;
}

/** The request is well formed and contradicts what is already so (an Idempotency-Key used for another body). */
export class RuleError extends PalimpsestError {
  readonly code = 'rule';
  readonly isRetryable = false;
}

/** Others keep changing the same subjects, or the same Idempotency-Key is still in flight: try again. */
export class ConflictError extends PalimpsestError {
  readonly code = 'conflict';
  readonly isRetryable = true;
  constructor(
    message: string,
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
  }
}

/** If-Match named another revision than the memory has. */
export class PreconditionError extends PalimpsestError {
  readonly code = 'precondition';
  readonly isRetryable = false;
  constructor(
    message: string,
    readonly revision: number,
  ) {
    super(message);
  }
}

export class UnauthenticatedError extends PalimpsestError {
  readonly code = 'unauthenticated';
  readonly isRetryable = false;
}

export class ForbiddenError extends PalimpsestError {
  readonly code = 'forbidden';
  readonly isRetryable = false;
}

/** `commands`: the command API, for those who have it write. */
export type Dependency = 'commands' | 'graph' | 'journal' | 'stream' | 'vectors' | 'embedding' | 'language';

/** Something we stand on did not answer. Nothing was changed, unless `outcomeUnknown`. */
export class DependencyError extends PalimpsestError {
  readonly code = 'dependency';
  readonly isRetryable = true;
  readonly dependency: Dependency;
  /** True when the work may have been committed all the same. */
  readonly outcomeUnknown: boolean;
  readonly retryAfterSeconds: number;
  constructor(
    dependency: Dependency,
    message: string,
    options: { cause?: unknown; outcomeUnknown?: boolean; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.dependency = dependency;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** A limit of ours was reached (a full queue, a deadline): try again later. */
export class DeadlineError extends PalimpsestError {
  readonly code = 'deadline';
  readonly isRetryable = true;
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
  ) {
    super(message);
  }
}

/** An event or input that will never succeed, however often it is tried. */
export class PoisonError extends PalimpsestError {
  readonly code = 'poison';
  readonly isRetryable = false;
}
