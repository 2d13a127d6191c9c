/** The only place where an error becomes an HTTP response. Any error that is not ours is a bug: 500, without its message. */
import type { Problem } from '../contract/problems.js';
import { ConfigurationError } from '../kernel/config/config.js';
import {
  ConflictError,
  DeadlineError,
  DependencyError,
  PalimpsestError,
  PreconditionError,
  ValidationError,
} from '../kernel/errors.js';
import { EdgeError } from './edge-error.js';

export type ProblemReply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Problem;
  /** The caller cannot solve this problem, so it is logged with its stack. */
  readonly isServerFault: boolean;
};

const STATUS_OF: Readonly<Record<string, number>> = {
  validation: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition: 412,
  rule: 422,
  dependency: 503,
  deadline: 503,
};

export function problemOf(error: unknown, requestId: string): ProblemReply {
  const status = statusOf(error);
  const isServerFault = status === 500 || error instanceof ConfigurationError;
  const message = publicMessage(error, isServerFault);
  return {
    status,
    isServerFault,
    headers: headersOf(error),
    body: { status: 'error', code: status, message, error: message, ...detailsOf(error), request_id: requestId },
  };
}

/** The contract fixes the message for a failure of the graph, whichever engine it is. */
function publicMessage(error: unknown, isServerFault: boolean): string {
  // The message of a ConfigurationError is for the operator of the service, not for the caller.
  if (error instanceof ConfigurationError)
    return 'The service cannot use one of its servers as it is configured: its log says what the operator must change';
  if (isServerFault || !(error instanceof Error)) return 'Internal server error';
  return error instanceof DependencyError && error.dependency === 'graph'
    ? 'Graph database unavailable'
    : error.message;
}

function statusOf(error: unknown): number {
  if (error instanceof EdgeError) return error.status;
  // A server may change passwords and rights while the service runs.
  if (error instanceof ConfigurationError) return 503;
  return error instanceof PalimpsestError ? (STATUS_OF[error.code] ?? 500) : 500;
}

function detailsOf(error: unknown): { readonly field?: string; readonly revision?: number } {
  if (error instanceof ValidationError && error.field !== null) return { field: error.field };
  return error instanceof PreconditionError ? { revision: error.revision } : {};
}

function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof EdgeError) return error.headers;
  if (!(error instanceof ConflictError || error instanceof DependencyError || error instanceof DeadlineError))
    return {};
  return error.retryAfterSeconds === null
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) };
}
