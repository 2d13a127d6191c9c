/**
 * The span of each request. It continues the trace of the caller, and the events of the request name it as their cause.
 */
import { withSpan } from '../kernel/tracing/tracing.js';
import type { EdgeMiddleware } from './edge-state.js';

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
