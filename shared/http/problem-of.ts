/** The one place where an error becomes an HTTP answer. What is none of our errors is a bug: 500, and its text stays inside. */
import type { Problem } from '../contract/problems.js';
import { ConfigurationError } from '../kernel/config.js';
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
  /** No caller can do anything about it: it wants a line in the log with its stack. */
  readonly isOurFault: boolean;
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
  const isOurFault = status === 500 || error instanceof ConfigurationError;
  const message = messageOf(error, isOurFault);
  return {
    status,
    isOurFault,
    headers: headersOf(error),
    body: { status: 'error', code: status, message, error: message, ...detailsOf(error), request_id: requestId },
  };
}

/** Clients know the graph's failure by the contract's words, whatever its engine says. */
function messageOf(error: unknown, isOurFault: boolean): string {
  // What it says is for those who run the service.
  if (error instanceof ConfigurationError)
    return 'The service cannot use one of its servers as it is configured: whoever runs it finds in its log what to change';
  if (isOurFault || !(error instanceof Error)) return 'Internal server error';
  return error instanceof DependencyError && error.dependency === 'graph'
    ? 'Graph database unavailable'
    : error.message;
}

function statusOf(error: unknown): number {
  if (error instanceof EdgeError) return error.status;
  // Servers may change their mind about passwords and rights while the service runs.
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
