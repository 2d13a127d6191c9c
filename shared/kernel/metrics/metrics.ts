/** What a process observes about itself. */
import type { LabelsOf, MetricName } from './definitions.js';

export interface Metrics {
  /** Adds one value to a histogram. Never throws. */
  observe<N extends MetricName>(name: N, labels: LabelsOf<N>, value: number): void;
}

export const NO_METRICS: Metrics = { observe: () => undefined };
