/**
 * Which variables make a process export its spans. `test/service/processes/exported-traces.test.ts` has the export
 * itself.
 */
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import { ConfigurationError, type Environment } from '../../../../shared/kernel/config/config.js';
import { silentLogger } from '../../../../shared/kernel/logger.js';
import { startTracing } from '../../../../shared/kernel/tracing/start-tracing.js';
import { setTracer, withSpan } from '../../../../shared/kernel/tracing/tracing.js';
import { rejection } from '../../../support/checks/rejection.js';

const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };
const start = (environment: Environment) =>
  startTracing({ service: 'query-api', version: '0.0.0-test', environment, logger: silentLogger });
const isOn = () => withSpan('work', {}, ({ traceparent }) => traceparent !== null);

describe('startTracing', () => {
  for (const [name, environment] of [
    ['without variables', {}],
    ['with blank variables', { OTEL_EXPORTER_OTLP_ENDPOINT: ' ', OTEL_TRACES_EXPORTER: '' }],
    ['with OTEL_SDK_DISABLED=true', { ...ENDPOINT, OTEL_SDK_DISABLED: 'TRUE' }],
    ['with OTEL_TRACES_EXPORTER=none', { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' }],
  ] as const) {
    it(`leaves tracing off ${name}`, async () => {
      const { stop } = await start(environment);
      expect(isOn()).to.equal(false);
      await stop();
    });
  }

  for (const [variable, value] of [
    ['OTEL_TRACES_EXPORTER', 'zipkin'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
  ] as const) {
    it(`refuses ${variable}=${value}`, async () => {
      const error = await rejection(start({ ...ENDPOINT, [variable]: value }));
      expect(error).to.be.instanceOf(ConfigurationError);
      expect(error.message).to.match(
        /OTEL_(TRACES_EXPORTER must be otlp|EXPORTER_OTLP_PROTOCOL must be http\/protobuf)/u,
      );
    });
  }

  it('gives its spans to an SDK that the operator has loaded', async () => {
    const exporter = new InMemorySpanExporter();
    const provider = new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
    trace.setGlobalTracerProvider(provider);
    try {
      const { stop } = await start({ OTEL_TRACES_EXPORTER: 'zipkin' });
      expect(isOn()).to.equal(true);
      await stop();
      expect(exporter.getFinishedSpans().map(({ name }) => name)).to.deep.equal(['work']);
    } finally {
      setTracer(null);
      trace.disable();
      await provider.shutdown();
    }
  });
});
