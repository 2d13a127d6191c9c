/**
 * The only file that imports the SDK of OpenTelemetry. Its own variables (`OTEL_BSP_*`, `OTEL_TRACES_SAMPLER`, headers,
 * time limits) apply.
 */
import * as api from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node';
import { raceDeadline } from '../concurrency/within-deadline.js';
import type { Logger } from '../logger.js';
import { type TracedProcess, TRACER_NAME, type Tracing } from './traced-process.js';
import { setTracer } from './tracing.js';

const STOP_DEADLINE_MS = 2_000;
/** A collector that is down makes each export fail. */
const WARNING_INTERVAL_MS = 60_000;

export function exportSpans({ service, version, logger }: TracedProcess): Tracing {
  api.diag.setLogger(rareWarnings(logger), { logLevel: api.DiagLogLevel.WARN, suppressOverrideMessage: true });
  const resource = resourceFromAttributes({
    'service.name': `palimpsest-${service}`,
    'service.version': version,
  }).merge(detectResources({ detectors: [envDetector] }));
  const provider = new NodeTracerProvider({
    resource,
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  provider.register();
  setTracer({ api, tracer: api.trace.getTracer(TRACER_NAME, version) });
  const stop = async () => {
    setTracer(null);
    await raceDeadline(
      provider.shutdown().catch((error: unknown) => logger.warn({ err: error }, 'the last spans were not exported')),
      { milliseconds: STOP_DEADLINE_MS, onDeadline: () => undefined },
    );
  };
  return { stop };
}

function rareWarnings(logger: Logger) {
  let nextAt = 0;
  const warn = (message: string) => {
    if (performance.now() < nextAt) return;
    nextAt = performance.now() + WARNING_INTERVAL_MS;
    logger.warn({ reason: message }, 'spans were not exported');
  };
  const ignore = () => undefined;
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
