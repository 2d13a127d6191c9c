/** What the middleware of one request tell each other. */
import type { Middleware, ParameterizedContext } from 'koa';

export type EdgeState = {
  requestId: string;
  traceparent: string | null;
  /** `performance.now()` when the request arrived. */
  startedAt: number;
  signal: AbortSignal;
  /** For the log: whom the request came from and what it asked for; null as long as nobody knows. */
  caller: string | null;
  operation: string | null;
};

export type EdgeContext = ParameterizedContext<EdgeState>;
export type EdgeMiddleware = Middleware<EdgeState>;
