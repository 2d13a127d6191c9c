/** The `traceparent` header of W3C Trace Context: version, trace id, span id and flags, in hex. */
import type { SpanContext } from '@opentelemetry/api';

const TRACEPARENT = /^(?<version>[0-9a-f]{2})-(?<traceId>[0-9a-f]{32})-(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/u;
const RESERVED_VERSION = 'ff';
const ZEROS = /^0+$/u;
const SAMPLED_FLAG = 1;

/** Null for an invalid value, which counts as absent, as the recommendation requires. */
export function parseTraceparent(text: string | null | undefined): SpanContext | null {
  const { version, traceId, spanId, flags } = TRACEPARENT.exec(text ?? '')?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  if (version === RESERVED_VERSION || ZEROS.test(traceId) || ZEROS.test(spanId)) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** False: the service that began the trace does not record it. */
export function isSampled(traceparent: string): boolean {
  return ((parseTraceparent(traceparent)?.traceFlags ?? 0) & SAMPLED_FLAG) !== 0;
}

/** The id of the trace, for log lines. Null without a valid `traceparent`. */
export function traceIdOf(traceparent: string | null): string | null {
  return parseTraceparent(traceparent)?.traceId ?? null;
}

/** The header as it came; null for an invalid one. */
export function readTraceparent(header: string | undefined): string | null {
  return header !== undefined && parseTraceparent(header) !== null ? header : null;
}
