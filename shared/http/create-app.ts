/** The HTTP edge that every process shares. The order of this list is the way of a request. */
import { setMaxListeners } from 'node:events';
import Koa from 'koa';
import { OPERATIONS, type Operation, type OperationName } from '../contract/operations.js';
import type { Ids } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { answerUnknown } from './answer-unknown.js';
import { createAuthenticate, type Tokens } from './auth.js';
import type { EdgeMiddleware, EdgeState } from './edge-state.js';
import type { Handlers } from './handler.js';
import { allowOrigins, answerProblems, identifyRequest, logRequest, refuseLongQuery } from './request-middleware.js';
import { routeOperations } from './route-operations.js';

export type AppDependencies = {
  /** Operations without a handler are answered as if they did not exist: an API serves its own room alone. */
  readonly handlers: Partial<Handlers<OperationName>>;
  readonly tokens: Tokens;
  readonly logger: Logger;
  readonly ids: Ids;
  readonly allowedOrigins: readonly string[];
  /** Answers paths outside of the contract, and hands on the rest. */
  readonly beside?: EdgeMiddleware;
};

/** A connection that ends like this was ended by the other side. */
const HANG_UPS = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

export type EdgeApp = Koa<EdgeState> & {
  /** Answers that have no end of their own end now. */
  readonly beginStop: () => void;
};

export function createApp({ handlers, tokens, logger, ids, allowedOrigins, beside }: AppDependencies): EdgeApp {
  const stop = new AbortController();
  setMaxListeners(0, stop.signal); // one for each stream, of which its room has a limit
  const authenticate = createAuthenticate(tokens);
  const served = new Set<Operation>((Object.keys(handlers) as OperationName[]).map((name) => OPERATIONS[name]));
  const app = new Koa<EdgeState>();
  app.use(identifyRequest(ids));
  app.use(logRequest(logger));
  app.use(answerProblems(logger));
  app.use(allowOrigins(allowedOrigins));
  app.use(refuseLongQuery());
  if (beside !== undefined) app.use(beside);
  app.use(routeOperations(handlers, { authenticate, logger, stopping: stop.signal }).routes());
  app.use(answerUnknown((operation) => served.has(operation), authenticate));
  app.on('error', reportBrokenAnswer(logger));
  return Object.assign(app, { beginStop: () => stop.abort() });
}

/** What is left for Koa to report: a client that went away while its answer was on the way, or a bug outside of every handler. */
function reportBrokenAnswer(logger: Logger): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (HANG_UPS.has(error.code ?? '')) logger.debug({ error }, 'a client went away before its answer had left');
    else logger.error({ error }, 'an answer could not be sent');
  };
}
