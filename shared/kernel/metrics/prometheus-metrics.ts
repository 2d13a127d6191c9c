/** The metrics of this process in the text format of Prometheus, together with those of Node: memory, event loop, garbage collection. */
import { collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type MetricDefinition, type MetricName, METRICS } from './definitions.js';
import type { Metrics } from './metrics.js';

export type PrometheusMetrics = Metrics & {
  readonly contentType: string;
  /** All metrics, as a scrape reads them. */
  readonly text: () => Promise<string>;
};

export function createPrometheusMetrics({
  service,
  version,
}: {
  /** The kind of process, such as `query-api`. */
  readonly service: string;
  readonly version: string;
}): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'palimpsest_build_info',
    help: 'Always 1. The labels say what runs.',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version }, 1);
  const histograms = new Map(
    Object.entries<MetricDefinition>(METRICS).map(([name, { help, labels, buckets }]) => [
      name,
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
    ]),
  );
  return {
    observe: (name: MetricName, labels, value) => histograms.get(name)?.observe({ ...labels }, value),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}
