/**
 * Metrics and tracing that a benchmark switches on and off while the service runs, and the cost of one metric and one
 * span.
 */
import * as api from '@opentelemetry/api';
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type Metrics, NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import { createPrometheusMetrics } from '../../../shared/kernel/metrics/prometheus-metrics.js';
import { setTracer, withChildSpan } from '../../../shared/kernel/tracing/tracing.js';
import type { Position } from './compare-switched.js';

/** `takeCount` returns the observations and counts since its last call. */
export function createSwitchedMetrics() {
  const kept = createPrometheusMetrics({ service: 'bench', version: '0.0.0' });
  let current: Metrics = NO_METRICS;
  let calls = 0;
  return {
    metrics: {
      observe: (name, labels, value) => {
        calls += 1;
        current.observe(name, labels, value);
      },
      count: (name, labels, by) => {
        calls += 1;
        current.count(name, labels, by);
      },
      report: (read) => kept.report(read),
    } satisfies Metrics,
    turn: (position: Position) => {
      current = position === 'on' ? kept : NO_METRICS;
    },
    takeCount: () => {
      const taken = calls;
      calls = 0;
      return taken;
    },
  };
}

/**
 * Batches the spans as in production, and drops them instead of sending them. Off includes the store of the current
 * span. `takeCount` returns the spans that ended since its last call.
 */
export function createSwitchedTracing() {
  let spans = 0;
  const dropping = { export: (_: unknown, done: (result: { code: 0 }) => void) => done({ code: 0 }), shutdown };
  const counting: SpanProcessor = {
    onStart: () => undefined,
    onEnd: () => void (spans += 1),
    forceFlush: shutdown,
    shutdown,
  };
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(dropping), counting] });
  const turnOff = (): void => {
    setTracer(null);
    for (const part of [api.trace, api.context, api.propagation]) part.disable();
  };
  return {
    turn: (position: Position) => {
      turnOff();
      if (position === 'off') return;
      provider.register();
      setTracer({ api, tracer: provider.getTracer('bench') });
    },
    takeCount: () => {
      const taken = spans;
      spans = 0;
      return taken;
    },
    close: async () => {
      turnOff();
      await provider.shutdown();
    },
  };
}

async function shutdown(): Promise<void> {
  // Nothing is kept.
}

const CALLS = 1_000_000;
const ROUNDS = 7;

/**
 * Nanoseconds of one span while tracing is off, with the objects that a span of a store makes, without the work itself.
 */
export function spanOffNs(): number {
  let sum = 0;
  const work = (): number => (sum += 1);
  const name = (index: number): string => `stage ${index & 7}`;
  const bare = cheapestNs((index) => void (name(index), work()));
  const spanned = cheapestNs((index) =>
    withChildSpan(name(index), { kind: 'client', attributes: { 'db.system.name': 'none', count: index } }, work),
  );
  if (sum === 0) throw new Error('The work did not run');
  return spanned - bare;
}

/** Nanoseconds of one observation of a histogram with a label, which costs more than a counter. */
export function metricNs(): number {
  const metrics = createPrometheusMetrics({ service: 'bench', version: '0.0.0' });
  return cheapestNs((index) =>
    metrics.observe('palimpsest_recall_stage_duration_seconds', { stage: 'score' }, (index & 63) / 1_000),
  );
}

/** The cheapest round counts: other work on the machine only adds to it. */
function cheapestNs(call: (index: number) => unknown): number {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    for (let index = 0; index < CALLS; index += 1) call(index);
    least = Math.min(least, ((performance.now() - begin) * 1_000_000) / CALLS);
  }
  return least;
}
