/** The HTTP edge that every process shares. A request passes the middleware in the order of `app.use`. */
import { setMaxListeners } from 'node:events';
import Koa from 'koa';
import type { Operation } from '../contract/operation.js';
import { type OperationName, OPERATIONS } from '../contract/operations.js';
import { type Clock, type Ids, systemClock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { type Metrics, NO_METRICS } from '../kernel/metrics/metrics.js';
import { ADMISSION_LIMITS, createAdmission } from './admission.js';
import { createArrivals } from './arrivals.js';
import { type AuthenticateBearer, type CheckKey, createAuthenticateBearer, sharedTokens, type Tokens } from './auth.js';
import { EdgeError, type EdgeMiddleware, type EdgeState } from './edge-state.js';
import type { Handlers } from './handler.js';
import { keyBearers } from './key-bearers.js';
import { requireQuota } from './key-quota.js';
import { requireLoopback } from './loopback.js';
import { type OidcConfig, oidcTokens } from './oidc.js';
import { createCursors } from './request/cursors.js';
import { BODIES_IN_FLIGHT_LIMIT_BYTES, createBodyBudget } from './request/read-bytes.js';
import {
  allowOrigins,
  answerProblems,
  identifyRequest,
  logRequest,
  measureRequest,
  rejectLongQuery,
  traceRequest,
} from './request-middleware.js';
import { serveResourceMetadata } from './resource-metadata.js';
import { routeOperations } from './route-operations.js';
import type { Tenancy } from './tenancy.js';
import { createTenantLimits } from './tenant-limits.js';

export type AppDependencies = {
  /** An operation without a handler gets the response of an unknown route: an API serves only its own operations. */
  readonly handlers: Partial<Handlers<OperationName>>;
  readonly tokens: Tokens;
  /** Absent where no keys are stored. */
  readonly checkKey?: CheckKey | undefined;
  /** Serves the keys of tenants; absent where there are none. */
  readonly tenancy?: Tenancy | null;
  /** The issuer whose tokens are accepted too; absent without one. */
  readonly oidc?: OidcConfig | null;
  readonly logger: Logger;
  readonly metrics?: Metrics;
  readonly ids: Ids;
  /** At which the tokens of the issuer expire. Default: the system's. */
  readonly clock?: Clock;
  readonly allowedOrigins: readonly string[];
  /** Answers only requests that name this machine in Host, and in Origin where they have one. */
  readonly isLoopbackOnly: boolean;
  /** Serves paths outside the contract and passes every other request on. */
  readonly extraRoutes?: EdgeMiddleware;
  /** The identity of the journal, null while it is not known. Absent without operations that name positions. */
  readonly historyId?: () => string | null;
  /** Bytes of all bodies that are held at the same time. */
  readonly bodiesInFlightBytes?: number;
};

/** Error codes of a connection that the client ended. */
const HANG_UP_CODES = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ERR_STREAM_PREMATURE_CLOSE']);

export type EdgeApp = Koa<EdgeState> & {
  /** Ends the responses that have no end of their own (streams). */
  readonly beginStop: () => void;
  readonly sendsContinue: true;
  readonly onConnection: () => void;
};

export function createApp({
  handlers,
  tokens,
  checkKey,
  tenancy = null,
  oidc = null,
  logger,
  metrics = NO_METRICS,
  ids,
  clock = systemClock,
  allowedOrigins,
  isLoopbackOnly,
  extraRoutes,
  historyId = () => null,
  bodiesInFlightBytes = BODIES_IN_FLIGHT_LIMIT_BYTES,
}: AppDependencies): EdgeApp {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal); // each stream adds one listener; the API limits the number of streams
  const authenticate = createAuthenticateBearer(tokens, [
    ...(checkKey === undefined ? [] : [keyBearers(checkKey, tenancy)]),
    ...(oidc === null ? [] : [oidcTokens({ config: oidc, tenancy, logger, clock })]),
  ]);
  if (oidc !== null) logger.info(oidc, 'tokens of the OIDC issuer are accepted, and no caller without a token');
  for (const tiers of sharedTokens(tokens)) logger.warn({ tiers }, 'two tiers have the same token: give each its own');
  const served = new Set<Operation>((Object.keys(handlers) as OperationName[]).map((name) => OPERATIONS[name]));
  const bodies = createBodyBudget(bodiesInFlightBytes);
  const arrivals = createArrivals();
  const admit = createAdmission(metrics, ADMISSION_LIMITS, arrivals);
  const app = new Koa<EdgeState>();
  app.use(identifyRequest(ids));
  app.use(logRequest(logger));
  app.use(traceRequest());
  app.use(measureRequest(metrics));
  app.use(answerProblems(logger, oidc));
  app.use(allowOrigins(allowedOrigins, isLoopbackOnly));
  app.use(rejectLongQuery());
  app.use(serveResourceMetadata(oidc));
  if (extraRoutes !== undefined) app.use(extraRoutes);
  if (isLoopbackOnly) app.use(requireLoopback(allowedOrigins)); // after the extra routes: MCP has its own list of hosts
  const cursors = createCursors(historyId);
  app.use(
    routeOperations(handlers, {
      authenticate,
      tenancy,
      requireLimits: createTenantLimits(),
      logger,
      bodies,
      admit,
      cursors,
      stopping: stopping.signal,
    }).routes(),
  );
  app.use(answerUnknownRoute((operation) => served.has(operation), authenticate));
  app.on('error', reportResponseError(logger));
  const { onConnection } = arrivals;
  return Object.assign(app, { beginStop: () => stopping.abort(), sendsContinue: true as const, onConnection });
}

/** The errors that only Koa sees: a disconnect during the response, or a bug outside of every handler. */
function reportResponseError(logger: Logger): (error: NodeJS.ErrnoException) => void {
  return (error) => {
    if (HANG_UP_CODES.has(error.code ?? ''))
      logger.debug({ err: error }, 'client disconnected before its response was sent');
    else logger.error({ err: error }, 'sending a response failed');
  };
}

const NOT_FOUND =
  'The requested URL was not found on the server. Check its spelling; GET /openapi.json lists every path.';
const NOT_ALLOWED = 'The method is not allowed for the requested URL.';

/** For an unknown path, or a method that it does not have. Callers without a token get 401 instead. */
function answerUnknownRoute(
  isRouted: (operation: Operation) => boolean,
  authenticate: AuthenticateBearer,
): EdgeMiddleware {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  return async (context) => {
    const { path, req, querystring } = context;
    // A path without parameters is one of its own: `/memory/batch` has no methods of `/memory/:id`.
    const exact = operations.filter((operation) => operation.path === path);
    const ofPath = exact.length > 0 ? exact : operations.filter((operation) => matches(operation.path, path));
    const here = ofPath.filter(isRouted);
    const isPublic = here.some(({ access }) => access === 'public');
    const asked = { access: isPublic ? 'public' : 'api', scope: null } as const;
    const caller = await authenticate(asked, { headers: req.headers, query: new URLSearchParams(querystring) });
    requireQuota(caller, context);
    if (here.length === 0) throw new EdgeError(404, NOT_FOUND);
    // The caller sees one service, so the methods of the other API on the same path count too.
    const methods = ofPath.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
    throw new EdgeError(405, NOT_ALLOWED, { allow: [...new Set([...methods, 'OPTIONS'])].sort().join(', ') });
  };
}

function matches(template: string, path: string): boolean {
  const parts = path.split('/');
  const wanted = template.split('/');
  if (template.endsWith('/*path')) return path.startsWith(template.slice(0, -'*path'.length));
  return (
    parts.length === wanted.length &&
    wanted.every((part, index) => (part.startsWith(':') ? parts[index] !== '' : part === parts[index]))
  );
}
