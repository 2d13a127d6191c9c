/**
 * The error classes of the project. They know no HTTP: each edge (HTTP, projector policy, MCP) maps `code` in one file
 * of its own. Adapters translate the errors of their vendor and keep the original as `cause`. Any other error is a bug.
 */
export abstract class PalimpsestError extends Error {
  abstract readonly code: string;
  /** True when the same call may succeed later without any change by the caller. */
  abstract readonly isRetryable: boolean;
  override get name(): string {
    return this.constructor.name;
  }
}

/** What the caller reads next to a message with a fixed text: `detail` says what was found, `hint` what to do. */
export type Help = { readonly detail?: string; readonly hint?: string };

/** The caller sent an invalid value; the message names the field. */
export class ValidationError extends PalimpsestError {
  readonly code = 'validation';
  readonly isRetryable = false;
  constructor(
    message: string,
    readonly field: string | null = null,
    readonly help: Help = {},
  ) {
    super(message);
  }
}

export class NotFoundError extends PalimpsestError {
  readonly code = 'not_found';
  readonly isRetryable = false;
}

/**
 * The request is well formed but contradicts the current state (for example, an Idempotency-Key used with another
 * body).
 */
export class RuleError extends PalimpsestError {
  readonly code = 'rule';
  readonly isRetryable = false;
}

/** Other commands keep changing the same subjects, or the same Idempotency-Key is still in flight: try again. */
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

/** The revision in If-Match is not the current revision of the memory. */
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

/** The token that an operation needs is missing or wrong. */
export class UnauthenticatedError extends PalimpsestError {
  readonly code = 'unauthenticated';
  readonly isRetryable = false;
  constructor(
    message: string,
    readonly tier: 'api' | 'admin' | 'internal' = 'api',
    readonly help: Help = {},
  ) {
    super(message);
  }
}

export class ForbiddenError extends PalimpsestError {
  readonly code = 'forbidden';
  readonly isRetryable = false;
  constructor(
    message: string,
    readonly help: Help = {},
    /** The scopes of a token that may do it; null when another token would not help. */
    readonly scopes: readonly string[] | null = null,
  ) {
    super(message);
  }
}

/** `issuer`: of tokens. `commands`: the command API, as the processes that write through it see it. */
export type Dependency = 'commands' | 'graph' | 'journal' | 'stream' | 'vectors' | 'embedding' | 'language' | 'issuer';

/** A dependency did not answer. Nothing was changed, unless `outcomeUnknown`. */
export class DependencyError extends PalimpsestError {
  readonly code = 'dependency';
  readonly isRetryable = true;
  readonly dependency: Dependency;
  /** True when the work may have been committed despite the error. */
  readonly outcomeUnknown: boolean;
  /** True when the dependency works and only this call failed in it (a transaction timed out, or ran out of memory). */
  readonly isReachable: boolean;
  /** True when the dependency works and is only behind: a wait, and not a failure. */
  readonly isWait: boolean;
  readonly retryAfterSeconds: number;
  constructor(
    dependency: Dependency,
    message: string,
    options: {
      cause?: unknown;
      outcomeUnknown?: boolean;
      isReachable?: boolean;
      isWait?: boolean;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(message, { cause: options.cause });
    this.dependency = dependency;
    this.outcomeUnknown = options.outcomeUnknown ?? false;
    this.isReachable = options.isReachable ?? false;
    this.isWait = options.isWait ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds ?? 1;
  }
}

/** One of our limits was reached (a full queue, a deadline): try again later. */
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

/** An event or input that fails at every attempt. */
export class PoisonError extends PalimpsestError {
  readonly code = 'poison';
  readonly isRetryable = false;
}

/** True for an error of ours that is retryable. An error of a vendor or a bug is never retryable. */
export function isRetryable(error: unknown): error is PalimpsestError {
  return error instanceof PalimpsestError && error.isRetryable;
}

/** The error itself, or an Error with the thrown value as its text. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}

/** The text of an error, or the thrown value as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/**
 * What a record of the service says about a failure. Our own errors name ids and fields. An engine may quote values of
 * a memory in its message, and a record outlives the deletion of the memory, so of any other error it has the name and
 * the code. The log has the message.
 */
export function reportOf(thrown: unknown): string {
  if (thrown instanceof PalimpsestError) return thrown.message;
  const name = thrown instanceof Error ? thrown.name : typeof thrown;
  return `Unexpected ${[name, codeOf(thrown)].filter((part) => part !== null).join(' ')}: see the log of the process`;
}

/** The code that the vendor gave an error; null when it has none. */
export function codeOf(thrown: unknown): string | null {
  return thrown instanceof Error && 'code' in thrown && typeof thrown.code === 'string' ? thrown.code : null;
}
