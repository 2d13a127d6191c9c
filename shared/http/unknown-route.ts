/** The response when no route matches: the path is unknown, or it does not have the method. Callers without a token get 401 instead. */
import type { Operation } from '../contract/operation.js';
import { OPERATIONS } from '../contract/operations.js';
import type { Authenticate } from './auth.js';
import { EdgeError } from './edge-error.js';
import type { EdgeMiddleware } from './edge-state.js';

const NOT_FOUND =
  'The requested URL was not found on the server. Check its spelling; GET /openapi.json lists every path.';
const NOT_ALLOWED = 'The method is not allowed for the requested URL.';

export function answerUnknownRoute(
  isRouted: (operation: Operation) => boolean,
  authenticate: Authenticate,
): EdgeMiddleware {
  const operations: readonly Operation[] = Object.values(OPERATIONS);
  return ({ path, req, querystring }) => {
    // A path without parameters is one of its own: `/memory/batch` has no methods of `/memory/:id`.
    const exact = operations.filter((operation) => operation.path === path);
    const ofPath = exact.length > 0 ? exact : operations.filter((operation) => matches(operation.path, path));
    const here = ofPath.filter(isRouted);
    const isPublic = here.some(({ access }) => access === 'public');
    authenticate(isPublic ? 'public' : 'api', { headers: req.headers, query: new URLSearchParams(querystring) });
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
