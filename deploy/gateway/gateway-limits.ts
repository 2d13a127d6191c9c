/** What a gateway holds and how long it waits. Sizes lie above those of the APIs, so that these refuse in their own words what is only a little too large. */
import { BODY_LIMIT_BYTES, QUERY_STRING_LIMIT_BYTES } from '../../shared/contract/limits.js';

export type GatewayLimits = {
  readonly bodyBytes: number;
  /** The request line, and each header. */
  readonly requestLineBytes: number;
  /** Requests that one instance of an API has at once; more are told to come again. */
  readonly requestsPerInstance: number;
  readonly connectTimeoutMs: number;
  /** Before a read is given to another instance, or up: above the longest that a read may be told to wait (FEED_WAIT_LIMIT_SECONDS). */
  readonly readTimeoutMs: number;
  /** Above the longest that a command may be told to wait: a minute for another with its Idempotency-Key, and a minute for vectors. */
  readonly commandTimeoutMs: number;
  /** How long a stream of events may be silent. */
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
