/** The middleware that runs before routing: request id, request log, CORS, errors, length of the query. */
import { RECEIPT_HEADER } from '../contract/commands.js';
import { QUERY_STRING_LIMIT_BYTES } from '../contract/limits.js';
import type { Ids } from '../kernel/clock.js';
import { REQUEST_ENDED } from '../kernel/concurrency/abort-signals.js';
import { DeadlineError, DependencyError } from '../kernel/errors.js';
import type { Logger } from '../kernel/logger.js';
import { parseUuid } from '../kernel/memory-id.js';
import type { Metrics } from '../kernel/metrics/metrics.js';
import { readTraceparent, traceIdOf } from '../kernel/tracing/traceparent.js';
import { withSpan } from '../kernel/tracing/tracing.js';
import { EdgeError, type EdgeMiddleware } from './edge-state.js';
import { isLoopbackOrigin } from './loopback.js';
import type { OidcConfig } from './oidc.js';
import { problemOf } from './problem-reply.js';
import { extendChallenge } from './resource-metadata.js';
import { writeReply } from './send-reply.js';

/** Uses the caller's `X-Request-Id` if it is a UUID, because events contain it. */
export function identifyRequest(ids: Ids): EdgeMiddleware {
  return async (context, next) => {
    const hangUp = new AbortController();
    context.res.once('close', () => hangUp.abort(REQUEST_ENDED));
    const requestId = parseUuid(context.get('x-request-id')) ?? ids.uuid();
    context.state = {
      requestId,
      traceparent: readTraceparent(context.req.headers['traceparent'] as string | undefined),
      startedAt: performance.now(),
      signal: hangUp.signal,
      caller: null,
      tenant: null,
      operation: null,
      failure: null,
      ignored: [],
    };
    context.set('x-request-id', requestId);
    await next();
  };
}

const PROBES = new Set(['livez', 'readyz', 'health']);

/**
 * Logs only the path: a query contains text of callers and may contain tokens. When a server or a limit failed the
 * request, the line is a warning with the cause, which the reply hides.
 */
export function logRequest(logger: Logger): EdgeMiddleware {
  return async ({ method, path, state, response }, next) => {
    await next();
    const { requestId, caller, tenant, operation, failure, startedAt } = state;
    const traceId = traceIdOf(state.traceparent);
    const line = {
      requestId,
      ...(traceId !== null && { traceId }),
      method,
      path,
      operation,
      caller,
      ...(tenant !== null && { tenant }),
      status: response.status,
      durationMs: Math.round((performance.now() - startedAt) * 100) / 100,
      ...(failure !== null && { failure }),
    };
    if (failure !== null) logger.warn(line, 'request');
    else if (operation !== null && PROBES.has(operation) && response.status < 500) logger.debug(line, 'request');
    else logger.info(line, 'request');
  };
}

/** Outside of `answerProblems`, so that it sees the status of a problem. */
export function measureRequest(metrics: Metrics): EdgeMiddleware {
  return async ({ state, response }, next) => {
    await next();
    const labels = { operation: state.operation ?? 'none', status: String(response.status) };
    metrics.observe('palimpsest_request_duration_seconds', labels, (performance.now() - state.startedAt) / 1_000);
  };
}

export function answerProblems(logger: Logger, oidc: OidcConfig | null = null): EdgeMiddleware {
  return async (context, next) => {
    try {
      await next();
    } catch (error) {
      const { status, headers, body, isServerFault } = problemOf(error, context.state.requestId, context.state.ignored);
      if (isServerFault)
        logger.error(
          { err: error, requestId: context.state.requestId, operation: context.state.operation },
          'request failed with a server error',
        );
      else context.state.failure = failureOf(error);
      writeReply(context, { status, headers, body });
      const challenge = headers['www-authenticate'];
      if (oidc !== null && challenge?.startsWith('Bearer'))
        context.set('www-authenticate', extendChallenge(challenge, oidc, status, context));
    }
  };
}

/** The message of a server may be long. */
const FAILURE_LENGTH = 500;

function failureOf(error: unknown): string | null {
  if (!(error instanceof DependencyError || error instanceof DeadlineError)) return null;
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.slice(0, FAILURE_LENGTH);
}

const METHODS = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT';
const REQUEST_HEADERS =
  'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id, traceparent, X-API-Key, X-Request-Id';
const EXPOSED_HEADERS = `ETag, ${RECEIPT_HEADER}, RateLimit, RateLimit-Policy, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id`;

/** `*` allows every origin, or with `isLoopbackOnly` this machine's. OPTIONS ends here, before authentication. */
export function allowOrigins(allowedOrigins: readonly string[], isLoopbackOnly = false): EdgeMiddleware {
  const allowsAll = allowedOrigins.includes('*') && !isLoopbackOnly;
  return async (context, next) => {
    const origin = context.get('origin');
    if (!allowsAll) context.vary('Origin');
    if (allowsAll || allowedOrigins.includes(origin) || (isLoopbackOnly && isLoopbackOrigin(origin))) {
      context.set('access-control-allow-origin', allowsAll ? '*' : origin);
      context.set('access-control-expose-headers', EXPOSED_HEADERS);
    }
    if (context.method !== 'OPTIONS') return next();
    context.set({ 'access-control-allow-methods': METHODS, 'access-control-allow-headers': REQUEST_HEADERS });
    context.status = 200;
    context.body = '';
  };
}

export function rejectLongQuery(): EdgeMiddleware {
  return async ({ querystring }, next) => {
    // Node decodes the address as one character for each byte.
    if (querystring.length > QUERY_STRING_LIMIT_BYTES)
      throw new EdgeError(414, `The query string is longer than ${QUERY_STRING_LIMIT_BYTES} bytes: send less of it`);
    await next();
  };
}

/** Asked every few seconds by machines: their spans would hide the others. */
const UNTRACED_PATHS = new Set(['/livez', '/readyz', '/health', '/ready']);

export function isTraced(path: string): boolean {
  return !UNTRACED_PATHS.has(path);
}

export function traceRequest(): EdgeMiddleware {
  return ({ method, path, state, response }, next) => {
    if (!isTraced(path)) return next();
    const attributes = { 'http.request.method': method, 'palimpsest.request_id': state.requestId };
    return withSpan(method, { kind: 'server', parent: state.traceparent, attributes }, async (span) => {
      state.traceparent = span.traceparent ?? state.traceparent;
      await next();
      if (state.operation !== null) span.rename(state.operation);
      span.set({ 'http.response.status_code': response.status });
      if (response.status >= 500) span.fail(String(response.status));
    });
  };
}
