/**
 * The problems that a gateway answers itself, when no API could answer. They have the same body as every other problem.
 */
import { BODY_LIMIT_BYTES, QUERY_STRING_LIMIT_BYTES } from '../../shared/contract/limits.js';
import type { Problem } from '../../shared/contract/problems.js';

export const RETRY_AFTER_SECONDS = 1;

/**
 * Messages by status. A command that ended with one of the last three may have been committed; its Idempotency-Key
 * makes a retry safe.
 */
export const GATEWAY_PROBLEMS = {
  400: 'This is no HTTP request that can be read',
  404: 'The requested URL was not found on the server. Check its spelling; GET /openapi.json lists every path.',
  405: 'The method is not allowed for the requested URL.',
  413: `The body is larger than ${BODY_LIMIT_BYTES} bytes: send it in smaller parts`,
  414: `The query string is longer than ${QUERY_STRING_LIMIT_BYTES} bytes: send less of it`,
  431: 'The headers are too long: send shorter headers',
  500: 'Internal server error',
  502: 'The service could not be reached, or closed the connection: send the request again, a command with the same Idempotency-Key',
  503: 'The service is overloaded: send the request again later',
  504: 'The service did not answer in time: send the request again, a command with the same Idempotency-Key',
} as const satisfies Record<number, string>;

export type GatewayProblemStatus = keyof typeof GATEWAY_PROBLEMS;

export function gatewayProblem(status: GatewayProblemStatus, requestId: string): Problem {
  const message = GATEWAY_PROBLEMS[status];
  return { status: 'error', code: status, message, error: message, request_id: requestId };
}

/** True when the same request may succeed a moment later. */
export function isRetryableStatus(status: GatewayProblemStatus): boolean {
  return status === 502 || status === 503 || status === 504;
}
