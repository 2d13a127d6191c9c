/** The state that the middleware functions of one request share, and the problems that exist only in HTTP. */
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
  /** For the log: the name of the tenant of the caller; null for the default one. */
  tenant: string | null;
  /** For the log: why a server or a limit failed the request; null while none did. */
  failure: string | null;
  /** A sentence for each name in the request that has no effect. */
  ignored: readonly string[];
};

export type EdgeContext = ParameterizedContext<EdgeState>;
export type EdgeMiddleware = Middleware<EdgeState>;

/** A problem that exists only in HTTP: a body or an address that is too long, or a method that a path does not have. */
export class EdgeError extends Error {
  constructor(
    readonly status: 404 | 405 | 408 | 413 | 414 | 429,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = 'EdgeError';
  }
}
