/** The state that the middleware functions of one request share. */
import type { Middleware, ParameterizedContext } from 'koa';

export type EdgeState = {
  requestId: string;
  traceparent: string | null;
  /** `performance.now()` when the request arrived. */
  startedAt: number;
  signal: AbortSignal;
  /** For the log: the name of the caller and the operation; null until they are known. */
  caller: string | null;
  operation: string | null;
  /** A sentence for each name in the request that has no effect. */
  ignored: readonly string[];
};

export type EdgeContext = ParameterizedContext<EdgeState>;
export type EdgeMiddleware = Middleware<EdgeState>;
