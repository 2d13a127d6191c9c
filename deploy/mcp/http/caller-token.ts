/** The token of whoever calls, in every spelling that MCP clients use. It is handed on to the service and judged there. */
import type { IncomingHttpHeaders } from 'node:http';
import { UnauthenticatedError } from '../../../shared/kernel/errors.js';

export const MISSING_TOKEN = 'Missing API token (use Authorization: Bearer, X-API-Key, or ?api_key=)';

const HEADERS = ['x-api-key', 'x-api-token'];
const PARAMETERS = ['api_key', 'apiKey', 'api_token'];
/** What may stand in a header. */
const TOKEN = /^[\x21-\x7e]+$/u;

/** Null when there is none. A Bearer header is final, as it is for the service: an empty one is not rescued by another way. */
export function callerToken(headers: IncomingHttpHeaders, query: URLSearchParams): string | null {
  const bearer = /^\s*bearer(?:\s+(?<token>.*))?$/iu.exec(headers.authorization ?? '');
  const others = [...HEADERS.map((name) => headers[name]), ...PARAMETERS.map((name) => query.get(name))];
  const given = bearer ? [bearer.groups?.['token']] : others.map((value) => (Array.isArray(value) ? value[0] : value));
  const [token = null] = given.map((text) => text?.trim() ?? '').filter((text) => text !== '');
  if (token !== null && !TOKEN.test(token))
    throw new UnauthenticatedError('The API token has characters that no token has: send it as it was given to you');
  return token;
}
