/**
 * The metrics of this process in the text format of Prometheus, together with those of Node: memory, event loop,
 * garbage collection.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { raceDeadline } from '../concurrency/within-deadline.js';
import {
  type CounterName,
  COUNTERS,
  type GaugeDefinition,
  GAUGES,
  type HistogramDefinition,
  type HistogramName,
  HISTOGRAMS,
  PROCESS_GAUGES,
} from './definitions.js';
import type { GaugeValue, Metrics } from './metrics.js';

const ALL_GAUGES = { ...GAUGES, ...PROCESS_GAUGES };
/** Below the 10 s after which Prometheus gives a scrape up. */
const READ_MS = 3_000;

export type PrometheusMetrics = Metrics & {
  readonly contentType: string;
  /** All metrics, as a scrape reads them. Scrapes at the same time share one reading of the gauges. */
  readonly text: () => Promise<string>;
};

/**
 * How often the lag of the event loop is measured; each measurement contains this time. The default of prom-client,
 * 10 ms, takes an idle process almost half a percent of a core more.
 */
const LAG_PRECISION_MS = 50;

export function createPrometheusMetrics({
  service,
  version,
  readMs = READ_MS,
}: {
  /** The kind of process, such as `query-api`. */
  readonly service: string;
  readonly version: string;
  /** The longest time for the gauges of one scrape. */
  readonly readMs?: number;
}): PrometheusMetrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LAG_PRECISION_MS });
  new Gauge({
    name: 'palimpsest_build_info',
    help: 'Always 1. The labels say what runs.',
    labelNames: ['service', 'version'],
    registers: [registry],
  }).set({ service, version }, 1);
  const histograms = new Map(
    Object.entries<HistogramDefinition>(HISTOGRAMS).map(([name, { help, labels, buckets }]) => [
      name,
      new Histogram({ name, help, labelNames: [...labels], buckets: [...buckets], registers: [registry] }),
    ]),
  );
  const counters = new Map(
    Object.entries<GaugeDefinition>(COUNTERS).map(([name, { help, labels }]) => [
      name,
      new Counter({ name, help, labelNames: [...labels], registers: [registry] }),
    ]),
  );
  const readers = new Set<() => Promise<readonly GaugeValue[]>>();
  let reading: Promise<readonly GaugeValue[]> | null = null;

  async function readGauges(): Promise<readonly GaugeValue[]> {
    const read = [...readers].map((reader) =>
      raceDeadline(reader(), { milliseconds: readMs, onDeadline: () => [] }).catch(() => []),
    );
    return (await Promise.all(read)).flat();
  }

  return {
    observe: (name: HistogramName, labels, value) => histograms.get(name)?.observe({ ...labels }, value),
    count: (name: CounterName, labels, by = 1) => counters.get(name)?.inc({ ...labels }, by),
    report: (read) => {
      readers.add(read);
      return () => void readers.delete(read);
    },
    contentType: registry.contentType,
    text: async () => {
      reading ??= readGauges().finally(() => (reading = null));
      const gauges = await reading;
      return `${await registry.metrics()}${await gaugesOf(gauges).metrics()}`;
    },
  };
}

/** A registry of these gauges alone, so that nothing is left of an earlier scrape. */
function gaugesOf(values: readonly GaugeValue[]): Registry {
  const registry = new Registry();
  const gauges = new Map<string, Gauge>();
  for (const { name, labels = [], value } of values) {
    const { help, labels: labelNames }: GaugeDefinition = ALL_GAUGES[name];
    const gauge = gauges.get(name) ?? new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
    gauges.set(name, gauge);
    gauge.inc(Object.fromEntries(labelNames.map((label, index) => [label, labels[index] ?? ''])), value);
  }
  return registry;
}
