/** Where a request goes: the one routing table, made from the list of operations, of which both gateways are made. */
import { OPERATIONS, type Operation } from '../../shared/contract/operations.js';

export type Api = 'command' | 'query';

export type Route = {
  /** Matched against `METHOD:path`, the path as it came: not decoded, not normalised, without its query string. JavaScript and PCRE read it alike. */
  readonly pattern: string;
  /** Null: nobody's; the gateway answers 404 itself. */
  readonly api: Api | null;
  /** Answers without an end: nothing of it may be held back, and silence is no failure. */
  readonly isStream?: true;
};

/** Where a path goes that no operation has: there it gets its 404, or 401, in the words of the service. */
export const API_OF_UNKNOWN_PATHS: Api = 'query';

/** Whatever is for others, internal operations and kinds of access that are yet to come, is closed. */
const OPEN_TO_CALLERS: readonly string[] = ['public', 'api', 'admin'] satisfies readonly Operation['access'][];

/** The first route that matches decides. */
export const ROUTES: readonly Route[] = routesOf(Object.values(OPERATIONS));

export function apiOf(method: string, path: string, routes: readonly Route[] = ROUTES): Api | null {
  const route = routes.find(({ pattern }) => new RegExp(pattern, 'u').test(`${method}:${path}`));
  return route === undefined ? API_OF_UNKNOWN_PATHS : route.api;
}

/** What is closed stands first; then operations in the order of the list, as in each API; then paths whose method nobody knows, for their 405. */
export function routesOf(operations: readonly Operation[]): readonly Route[] {
  const isOpen = ({ access }: Operation): boolean => OPEN_TO_CALLERS.includes(access);
  const open = operations.filter(isOpen);
  const closed = operations.filter((operation) => !isOpen(operation));
  const paths = [...new Set(open.map(({ path }) => path))];
  return [
    ...closed.map(({ method, path }) => ({ pattern: patternOf(method, path), api: null })),
    ...open.map(({ method, path, room, stream }) => ({
      pattern: patternOf(method === 'GET' ? '(GET|HEAD)' : method, path),
      api: apiOfRoom(room),
      ...(stream && { isStream: true as const }),
    })),
    ...paths.map((path) => ({ pattern: patternOf('[^:]+', path), api: apiOfPath(open, path) })),
  ];
}

/** Every process answers the operations of the edge; through the gateway they speak for the reading side. */
function apiOfRoom(room: Operation['room']): Api {
  return room === 'command' ? 'command' : 'query';
}

/** One that has some method of this path, and so knows that it exists. */
function apiOfPath(open: readonly Operation[], path: string): Api {
  return open.some((operation) => operation.path === path && apiOfRoom(operation.room) === 'query')
    ? 'query'
    : 'command';
}

function patternOf(methods: string, path: string): string {
  const segments = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : segment.replaceAll('.', '\\.')));
  return `^${methods}:${segments.join('/')}$`;
}
