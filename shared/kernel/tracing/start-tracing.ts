/**
 * Decides by the usual variables of OpenTelemetry whether a process exports its spans. Loads OpenTelemetry only then.
 */
import { ConfigurationError, type Environment } from '../config/config.js';
import { type TracedProcess, TRACER_NAME, type Tracing } from './traced-process.js';
import { setTracer } from './tracing.js';

/** Throws a ConfigurationError for a value that the service does not support. */
export async function startTracing(traced: TracedProcess): Promise<Tracing> {
  const { environment, version } = traced;
  if (await hasOwnSdk()) {
    const api = await import('@opentelemetry/api');
    setTracer({ api, tracer: api.trace.getTracer(TRACER_NAME, version) });
    return { stop: async () => undefined }; // its owner stops it
  }
  if (!isWanted(environment)) return { stop: async () => undefined };
  const { exportSpans } = await import('./export-spans.js');
  return exportSpans(traced);
}

/** Where `@opentelemetry/api` 1 keeps what an SDK registers, for all copies of the package in a process. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');

/** An operator may preload an SDK with other exporters or processors. It then gets the spans. */
async function hasOwnSdk(): Promise<boolean> {
  if (!(REGISTERED in globalThis)) return false;
  const { ProxyTracerProvider, trace } = await import('@opentelemetry/api');
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer(TRACER_NAME) !== undefined;
}

function isWanted(environment: Environment): boolean {
  const read = (name: string) => environment[name]?.trim().toLowerCase() ?? '';
  const exporter = read('OTEL_TRACES_EXPORTER');
  if (read('OTEL_SDK_DISABLED') === 'true' || exporter === 'none') return false;
  const hasEndpoint = read('OTEL_EXPORTER_OTLP_ENDPOINT') !== '' || read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') !== '';
  if (exporter === '' && !hasEndpoint) return false;
  const protocol = read('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || read('OTEL_EXPORTER_OTLP_PROTOCOL');
  const problems = [
    ...(exporter === '' || exporter === 'otlp' ? [] : ['OTEL_TRACES_EXPORTER must be otlp or none']),
    ...(protocol === '' || protocol === 'http/protobuf'
      ? []
      : ['OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf: spans are sent over HTTP']),
  ];
  if (problems.length > 0) throw new ConfigurationError(problems);
  return true;
}
