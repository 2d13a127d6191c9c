/** The error statuses of an operation, ascending. */
import type { Operation } from '../../contract/operation.js';

/** Ids are checked, so a wrong one is a bad request. A key or a name may be any text. */
const CHECKED_PARAMETER = /:(?:id|job|slug)\b/u;
const PARAMETER = /[*:]/u;

export function problemsOf(operation: Operation): readonly number[] {
  const { method, path, access, body, query = [], repeatable, conditional, page } = operation;
  const follows: Readonly<Record<number, boolean>> = {
    400: query.length > 0 || body !== undefined || CHECKED_PARAMETER.test(path),
    401: access !== 'public',
    403: access !== 'public' && access !== 'api',
    404: PARAMETER.test(path) || page === true,
    409: repeatable === true,
    412: conditional === true && method !== 'GET',
    413: body !== undefined,
    414: true,
    422: repeatable === true,
    503: access !== 'public',
  };
  return Object.keys(follows)
    .map(Number)
    .filter((status) => follows[status] === true || operation.alsoAnswers?.includes(status))
    .filter((status) => operation.neverAnswers?.includes(status) !== true);
}
