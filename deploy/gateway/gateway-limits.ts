/**
 * Sizes and timeouts of a gateway. Its size limits are above those of the APIs, so that an API itself rejects a request
 * that is only a little too large.
 */
import { BODY_LIMIT_BYTES, QUERY_STRING_LIMIT_BYTES } from '../../shared/contract/limits.js';

export type GatewayLimits = {
  readonly bodyBytes: number;
  /** Limit of the request line, and of each header. */
  readonly requestLineBytes: number;
  /** Concurrent requests of one instance of an API; a request beyond the limit gets 503 with Retry-After. */
  readonly requestsPerInstance: number;
  readonly connectTimeoutMs: number;
  /**
   * Timeout of a read at one instance: longer than the longest wait that a read may ask for (FEED_WAIT_LIMIT_SECONDS).
   */
  readonly readTimeoutMs: number;
  /**
   * Longer than the longest configurable wait of a command: a minute for another with the same Idempotency-Key, and a
   * minute for vectors.
   */
  readonly commandTimeoutMs: number;
  /** How long a stream of events may send nothing. */
  readonly streamIdleMs: number;
};

export const GATEWAY_LIMITS: GatewayLimits = {
  bodyBytes: BODY_LIMIT_BYTES + 1024 * 1024,
  requestLineBytes: 2 * QUERY_STRING_LIMIT_BYTES,
  requestsPerInstance: 512,
  connectTimeoutMs: 2_000,
  readTimeoutMs: 40_000,
  commandTimeoutMs: 150_000,
  streamIdleMs: 3_600_000,
};
