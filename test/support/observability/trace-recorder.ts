/** Records the spans of the test's process in its memory, in place of an exporter. */
import * as api from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { setTracer } from '../../../shared/kernel/tracing/tracing.js';

export type RecordedSpan = {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Null at the begin of a trace. */
  readonly parentId: string | null;
  /** The ids of the traces of other causes. */
  readonly links: readonly string[];
  readonly attributes: ReadableSpan['attributes'];
  readonly isFailed: boolean;
  readonly whole: ReadableSpan;
};

export type TraceRecorder = {
  /** The spans that have ended, in the order of their ends, as an exporter gets them. */
  readonly exported: () => readonly ReadableSpan[];
  readonly spans: () => readonly RecordedSpan[];
  readonly named: (name: string) => readonly RecordedSpan[];
  /** The spans of one trace, in the order of their ends. */
  readonly ofTrace: (traceId: string) => readonly RecordedSpan[];
  readonly clear: () => void;
  readonly close: () => Promise<void>;
};

/** Switches tracing on for the whole process until `close`. */
export function recordTraces(): TraceRecorder {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  api.trace.disable(); // a global provider would be an SDK of the operator for `startTracing`
  setTracer({ api, tracer: provider.getTracer('test') });
  const spans = () => exporter.getFinishedSpans().map(recordedSpan);
  return {
    exported: () => exporter.getFinishedSpans(),
    spans,
    named: (name) => spans().filter((span) => span.name === name),
    ofTrace: (traceId) => spans().filter((span) => span.traceId === traceId),
    clear: () => exporter.reset(),
    close: async () => {
      setTracer(null);
      api.context.disable();
      api.propagation.disable();
      await provider.shutdown();
    },
  };
}

function recordedSpan(whole: ReadableSpan): RecordedSpan {
  const { traceId, spanId } = whole.spanContext();
  return {
    name: whole.name,
    traceId,
    spanId,
    parentId: whole.parentSpanContext?.spanId ?? null,
    links: whole.links.map((link) => link.context.traceId),
    attributes: whole.attributes,
    isFailed: whole.status.code === api.SpanStatusCode.ERROR,
    whole,
  };
}
