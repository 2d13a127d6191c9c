/** The routing table of both gateways, made from the list of operations. */
import type { Operation } from '../../shared/contract/operation.js';
import { OPERATIONS, type ReplyOf } from '../../shared/contract/operations.js';

export type Api = 'command' | 'query';
/** What answers; null for a path that is closed to callers: the gateway answers 404. */
export type Target = Api | 'gateway' | null;

export type Route = {
  /** Matched against `METHOD:path` as received, without its query. The same for JavaScript and PCRE. */
  readonly pattern: string;
  /** `pattern`, compiled once. */
  readonly expression: RegExp;
  readonly api: Target;
  /** The answer has no known end: the gateway must not buffer it, and silence is not a failure. */
  readonly isStream?: true;
};

/** The API for a path that no operation has: it answers 404, or 401, with the message of the service. */
export const API_OF_UNKNOWN_PATHS: Api = 'query';

/** Every other kind of access is closed: internal operations, and kinds that the contract does not have yet. */
const OPEN_TO_CALLERS: readonly string[] = [
  'public',
  'api',
  'admin',
  'admin_alone',
] satisfies readonly Operation['access'][];

/**
 * `GET /livez` says that the process runs which the caller reached. An API that is slow is no reason to restart the
 * gateway, and the answer waits for no request's work.
 */
const LIVENESS: Operation = OPERATIONS.livez;
export const LIVENESS_BODY = JSON.stringify({ status: 'ok' } satisfies ReplyOf<'livez'>);

/** The first route that matches is used. */
export const ROUTES: readonly Route[] = routesOf(Object.values(OPERATIONS));

export function apiOf(method: string, path: string, routes: readonly Route[] = ROUTES): Target {
  const requested = `${method}:${path}`;
  const route = routes.find(({ expression }) => expression.test(requested));
  return route === undefined ? API_OF_UNKNOWN_PATHS : route.api;
}

/** Closed operations, then open ones in the order of the list, then each path with another method, for its 405. */
export function routesOf(operations: readonly Operation[]): readonly Route[] {
  const isOpen = ({ access }: Operation): boolean => OPEN_TO_CALLERS.includes(access);
  const open = operations.filter(isOpen);
  const closed = operations.filter((operation) => !isOpen(operation));
  const paths = [...new Set(open.map(({ path }) => path))];
  const routes: readonly Omit<Route, 'expression'>[] = [
    ...closed.map(({ method, path }) => ({ pattern: patternOf(method, path), api: null })),
    ...open.map((operation) => ({
      pattern: patternOf(operation.method === 'GET' ? '(GET|HEAD)' : operation.method, operation.path),
      api: operation === LIVENESS ? ('gateway' as const) : apiServing(operation.servedBy),
      ...((operation.stream ?? operation.download) && { isStream: true as const }),
    })),
    ...paths.map((path) => ({ pattern: patternOf('[^:]+', path), api: apiOfPath(open, path) })),
  ];
  return routes.map((route) => ({ ...route, expression: new RegExp(route.pattern, 'u') }));
}

/** Every process answers the operations of the edge; the gateway sends all but liveness to the query API. */
function apiServing(servedBy: Operation['servedBy']): Api {
  return servedBy === 'command' ? 'command' : 'query';
}

/** An API that has an operation with this path, so that it answers 405 for another method. */
function apiOfPath(open: readonly Operation[], path: string): Api {
  return open.some((operation) => operation.path === path && apiServing(operation.servedBy) === 'query')
    ? 'query'
    : 'command';
}

function patternOf(methods: string, path: string): string {
  const segments = path
    .split('/')
    .map((segment) =>
      segment.startsWith('*') ? '.+' : segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.'),
    );
  return `^${methods}:${segments.join('/')}$`;
}
