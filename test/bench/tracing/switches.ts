/** Metrics and tracing that a benchmark switches on and off while the service runs. */
import { context, propagation, trace } from '@opentelemetry/api';
import { BatchSpanProcessor, NodeTracerProvider, type SpanProcessor } from '@opentelemetry/sdk-trace-node';
import { type Metrics, NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import { createPrometheusMetrics } from '../../../shared/kernel/metrics/prometheus-metrics.js';
import { setTracer } from '../../../shared/kernel/tracing/tracing.js';
import type { Position } from './compare-switched.js';

export type SwitchedMetrics = {
  readonly metrics: Metrics;
  readonly turn: (position: Position) => void;
  /** Observations and counts since the last call. */
  readonly takeCalls: () => number;
};

export function createSwitchedMetrics(): SwitchedMetrics {
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
    },
    turn: (position) => {
      current = position === 'on' ? kept : NO_METRICS;
    },
    takeCalls: () => {
      const taken = calls;
      calls = 0;
      return taken;
    },
  };
}

export type SwitchedTracing = {
  readonly turn: (position: Position) => void;
  /** Names of the spans that ended since the last call. */
  readonly takeNames: () => readonly string[];
  readonly close: () => Promise<void>;
};

/** Batches the spans as in production, and drops them instead of sending them. Off includes the store of the current span. */
export function createSwitchedTracing(): SwitchedTracing {
  let names: string[] = [];
  const dropping = { export: (_: unknown, done: (result: { code: 0 }) => void) => done({ code: 0 }), shutdown };
  const naming: SpanProcessor = {
    onStart: () => undefined,
    onEnd: ({ name }) => void names.push(name),
    forceFlush: shutdown,
    shutdown,
  };
  const provider = new NodeTracerProvider({ spanProcessors: [new BatchSpanProcessor(dropping), naming] });
  const turnOff = (): void => {
    setTracer(null);
    for (const api of [trace, context, propagation]) api.disable();
  };
  return {
    turn: (position) => {
      turnOff();
      if (position === 'off') return;
      provider.register();
      setTracer(provider.getTracer('bench'));
    },
    takeNames: () => {
      const taken = names;
      names = [];
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
