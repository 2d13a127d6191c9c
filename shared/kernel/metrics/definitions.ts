/**
 * Every metric of the service, data only. Names and units follow the conventions of Prometheus. Labels have few values that the service itself
 * names: never an id, never a word of a caller.
 */
export type MetricDefinition = {
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of the histogram, in the unit of the name. */
  readonly buckets: readonly number[];
};

export const METRICS = {
  palimpsest_request_duration_seconds: {
    help: 'Time from the arrival of a request to its reply, of a stream to its beginning. `operation` is `none` for a path without one.',
    labels: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
  },
  palimpsest_recall_stage_duration_seconds: {
    help: 'Time in one stage of a recall. `encode` is part of `retrieve`.',
    labels: ['stage'],
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  },
} as const satisfies Readonly<Record<string, MetricDefinition>>;

export type MetricName = keyof typeof METRICS;
export type LabelsOf<N extends MetricName> = Readonly<Record<(typeof METRICS)[N]['labels'][number], string>>;
