/** Records the spans of the test's process. Only one recorder can be open. */
import { context, propagation, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import { setTracer } from '../../../shared/kernel/tracing/tracing.js';

export type TraceRecorder = {
  /** The spans that have ended, in the order of their ends. */
  readonly spans: () => readonly ReadableSpan[];
  readonly clear: () => void;
  /** Switches tracing off again. */
  readonly close: () => void;
};

export function openTraceRecorder(): TraceRecorder {
  const exporter = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  provider.register();
  setTracer(provider.getTracer('test'));
  return {
    spans: () => exporter.getFinishedSpans(),
    clear: () => exporter.reset(),
    close: () => {
      setTracer(null);
      for (const api of [trace, context, propagation]) api.disable();
    },
  };
}
