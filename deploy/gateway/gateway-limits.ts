/** The limits of a gateway, above those of the APIs, and the problems that it answers itself. */
import { BODY_LIMIT_BYTES, QUERY_STRING_LIMIT_BYTES } from '../../shared/contract/limits.js';
import type { Problem } from '../../shared/contract/reply-parts.js';

export type GatewayLimits = Readonly<Record<keyof typeof GATEWAY_LIMITS, number>>;

export const GATEWAY_LIMITS = {
  bodyBytes: BODY_LIMIT_BYTES + 1024 * 1024,
  /** Of the request line, and of each header. */
  requestLineBytes: 2 * QUERY_STRING_LIMIT_BYTES,
  /** Concurrent requests of one instance of an API; a request beyond the limit gets 503 with Retry-After. */
  requestsPerInstance: 512,
  /** Concurrent requests of one caller; one beyond the limit gets 429. The other slots are for other callers. */
  requestsPerCaller: 384,
  connectTimeoutMs: 2_000,
  /** Longer than the longest wait that a read may ask for (FEED_WAIT_LIMIT_SECONDS). */
  readTimeoutMs: 40_000,
  /** Longer than the longest wait of a command: a minute for the same Idempotency-Key, and one for vectors. */
  commandTimeoutMs: 150_000,
  /** How long a stream of events may send nothing. */
  streamIdleMs: 3_600_000,
} as const;

export const RETRY_AFTER_SECONDS = 1;

/** By status. After the last three a command may be committed; its Idempotency-Key makes a retry safe. */
export const GATEWAY_PROBLEMS = {
  400: 'This is no HTTP request that can be read',
  404: 'The requested URL was not found on the server. Check its spelling; GET /openapi.json lists every path.',
  405: 'The method is not allowed for the requested URL.',
  413: `The body is larger than ${BODY_LIMIT_BYTES} bytes, or has too many chunks: send it in smaller parts, or in larger chunks`,
  414: `The query string is longer than ${QUERY_STRING_LIMIT_BYTES} bytes: send less of it`,
  429: 'You have too many requests at the same time: send the next one when one of them has ended',
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
  return status === 429 || status === 502 || status === 503 || status === 504;
}
