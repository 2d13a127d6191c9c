/** The trace of a caller, and checks of the spans that the service adds to it. */
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';

export const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
export const CALLER_SPAN_ID = 'b7ad6b7169203331';
export const TRACEPARENT = `00-${TRACE_ID}-${CALLER_SPAN_ID}-01`;

/** Start times have a resolution of one millisecond. */
const TOLERANCE_MS = 2;

/** The names from the span up to the one without a recorded parent: `recall encode < search vector < recall`. */
export function pathOf(span: ReadableSpan, spans: readonly ReadableSpan[]): string {
  const parent = parentOf(span, spans);
  return parent === undefined ? span.name : `${span.name} < ${pathOf(parent, spans)}`;
}

export function pathsOf(spans: readonly ReadableSpan[]): readonly string[] {
  return spans.map((span) => pathOf(span, spans));
}

/** Asserts that one span at most has no recorded parent, and that each other span runs within its parent. */
export function expectOneTree(spans: readonly ReadableSpan[]): void {
  const roots = spans.filter((span) => parentOf(span, spans) === undefined);
  expect(roots.map(({ name }) => name)).to.have.lengthOf(1);
  for (const span of spans) {
    const parent = parentOf(span, spans);
    if (parent === undefined) continue;
    const path = pathOf(span, spans);
    expect(milliseconds(span.startTime), `${path} begins`).to.be.at.least(
      milliseconds(parent.startTime) - TOLERANCE_MS,
    );
    expect(milliseconds(span.endTime), `${path} ends`).to.be.at.most(milliseconds(parent.endTime) + TOLERANCE_MS);
  }
}

/** Every text that an exporter would send. */
export function textsOf(spans: readonly ReadableSpan[]): string {
  return JSON.stringify(spans.map(({ name, attributes, events, status }) => ({ name, attributes, events, status })));
}

function parentOf({ parentSpanContext }: ReadableSpan, spans: readonly ReadableSpan[]): ReadableSpan | undefined {
  return spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId);
}

function milliseconds([seconds, nanoseconds]: ReadableSpan['startTime']): number {
  return seconds * 1_000 + nanoseconds / 1_000_000;
}
