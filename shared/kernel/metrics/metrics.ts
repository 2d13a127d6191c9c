/** What a process reports about itself and, where it is the one process that does, about the whole service. */
import type { CounterName, GaugeName, HistogramName, LabelsOf } from './definitions.js';

/** The value of a gauge at the time of a scrape. */
export type GaugeValue = {
  readonly name: GaugeName;
  /** The labels of the definition, in its order. */
  readonly labels?: readonly string[];
  readonly value: number;
};

export interface Metrics {
  /** Adds one value to a histogram. Never throws. */
  observe<N extends HistogramName>(name: N, labels: LabelsOf<N>, value: number): void;
  /** Adds to a counter. Never throws. */
  count<N extends CounterName>(name: N, labels: LabelsOf<N>, by?: number): void;
  /**
   * `read` is called at each scrape, until the returned function is called. When it rejects or takes too long, the
   * scrape has none of its gauges. Gauges with the same name and labels are added up.
   */
  report(read: () => Promise<readonly GaugeValue[]>): () => void;
}

export const NO_METRICS: Metrics = {
  observe: () => undefined,
  count: () => undefined,
  report: () => () => undefined,
};
