/** Measures the cost of one call of a metric, and of one span while tracing is off, in nanoseconds. */
import type { Metrics } from '../../../shared/kernel/metrics/metrics.js';
import { withChildSpan } from '../../../shared/kernel/tracing/tracing.js';

const CALLS = 1_000_000;
const ROUNDS = 7;

/** With the objects that a span of a store makes, without the work itself. */
export function timeSpanOff(): number {
  let sum = 0;
  const work = (): number => (sum += 1);
  const name = (index: number): string => `stage ${index & 7}`;
  const bare = cheapest((index) => void (name(index), work()));
  const spanned = cheapest((index) =>
    withChildSpan(name(index), { kind: 'client', attributes: { 'db.system.name': 'none', count: index } }, work),
  );
  if (sum === 0) throw new Error('The work did not run');
  return spanned - bare;
}

/** Of a histogram with a label, which costs more than a counter. */
export function timeMetric(metrics: Pick<Metrics, 'observe'>): number {
  return cheapest((index) =>
    metrics.observe('palimpsest_recall_stage_duration_seconds', { stage: 'score' }, (index & 63) / 1_000),
  );
}

/** The cheapest round counts: other work on the machine only adds to it. */
function cheapest(call: (index: number) => unknown): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    for (let index = 0; index < CALLS; index += 1) call(index);
    least = Math.min(least, ((performance.now() - begin) * 1_000_000) / CALLS);
  }
  return least;
}
