/** The only place where an error becomes an HTTP response. One that is not ours is a bug: 500. */
import type { Problem } from '../contract/reply-parts.js';
import { ConfigurationError } from '../kernel/config/config.js';
import {
  ConflictError,
  DeadlineError,
  DependencyError,
  ForbiddenError,
  type Help,
  PalimpsestError,
  PreconditionError,
  UnauthenticatedError,
  ValidationError,
} from '../kernel/errors.js';
import { EdgeError } from './edge-state.js';

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

/** `ignored`: a sentence for each name in the request that has no effect; one of them may be the cause of a 400. */
export function problemOf(error: unknown, requestId: string, ignored: readonly string[] = []): ProblemReply {
  const status = statusOf(error);
  const isServerFault = status === 500 || error instanceof ConfigurationError;
  const message = publicMessage(error, isServerFault);
  return {
    status,
    isServerFault,
    headers: headersOf(error),
    body: {
      status: 'error',
      code: status,
      message,
      error: message,
      ...helpOf(error, status === 400 ? ignored : []),
      ...detailsOf(error),
      request_id: requestId,
    },
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

function helpOf(error: unknown, ignored: readonly string[]): Help {
  const hasHelp =
    error instanceof ValidationError || error instanceof UnauthenticatedError || error instanceof ForbiddenError;
  const { detail, hint }: Help = hasHelp ? error.help : {};
  const hints = [...(hint === undefined ? [] : [hint]), ...ignored];
  return { ...(detail !== undefined && { detail }), ...(hints.length > 0 && { hint: hints.join(' ') }) };
}

function detailsOf(error: unknown): { readonly field?: string; readonly revision?: number } {
  if (error instanceof ValidationError && error.field !== null) return { field: error.field };
  return error instanceof PreconditionError ? { revision: error.revision } : {};
}

/** For WWW-Authenticate. The admin and the internal token have no registered schemes. */
const CHALLENGES: Readonly<Record<UnauthenticatedError['tier'], string>> = {
  api: 'Bearer realm="palimpsest"',
  admin: 'X-Admin-Token realm="palimpsest"',
  internal: 'X-Internal-Token realm="palimpsest"',
};

function headersOf(error: unknown): Readonly<Record<string, string>> {
  if (error instanceof UnauthenticatedError) return { 'www-authenticate': CHALLENGES[error.tier] };
  if (error instanceof ForbiddenError && error.scopes !== null)
    return {
      'www-authenticate': `${CHALLENGES.api}, error="insufficient_scope", scope="${error.scopes.join(' ')}"`,
    };
  if (error instanceof EdgeError) return error.headers;
  if (!(error instanceof ConflictError || error instanceof DependencyError || error instanceof DeadlineError))
    return {};
  return error.retryAfterSeconds === null
    ? {}
    : { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfterSeconds))) };
}
