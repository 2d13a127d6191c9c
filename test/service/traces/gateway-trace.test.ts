/** The router in Node is one more span between the client and the service. */
import { expect } from 'chai';
import { type Gateway, ROUTER } from '../../support/adapters/gateways.js';
import { until } from '../../support/checks/until.js';
import { recordTraces, type TraceRecorder } from '../../support/observability/trace-recorder.js';
import { openStubInstance, type StubInstance } from '../../support/servers/stub-instance.js';
import { CALLER_SPAN_ID, TRACE_ID, TRACEPARENT } from './trace-fixtures.js';

describe('the trace of a request through the router', () => {
  let instance: StubInstance;
  let gateway: Gateway;
  let recorder: TraceRecorder;
  beforeEach(async () => {
    instance = await openStubInstance('instance');
    gateway = await ROUTER.open({ instances: { command: [instance.url], query: [instance.url] } });
    recorder = recordTraces();
  });
  afterEach(async () => {
    await recorder.close();
    await gateway.close();
    await instance.close();
  });

  const forwarded = () => instance.requests.at(-1)?.headers['traceparent'];
  const ask = async (path: string, headers: Record<string, string> = {}): Promise<void> => {
    await (await fetch(gateway.url + path, { headers })).text();
  };
  const spanOf = async (name: string) => {
    await until('the span has ended', () => recorder.exported().length > 0);
    return recorder.exported().find((span) => span.name === name);
  };

  it('is continued, and forwarded with its own span', async () => {
    await ask('/recall?query=quagmire', { traceparent: TRACEPARENT, tracestate: 'vendor=1' });
    const span = await spanOf('gateway query');
    expect(span?.parentSpanContext?.spanId).to.equal(CALLER_SPAN_ID);
    expect(span?.attributes).to.include({ 'http.request.method': 'GET', 'http.response.status_code': 200 });
    expect(forwarded()).to.equal(`00-${TRACE_ID}-${span?.spanContext().spanId}-01`);
    expect(instance.requests[0]?.headers).to.include({ tracestate: 'vendor=1' });
    expect(JSON.stringify(span?.attributes)).to.not.include('quagmire');
  });

  it('begins a trace for a client without one', async () => {
    await ask('/memory/by-tag?tags=a', { traceparent: 'none' });
    const span = await spanOf('gateway query');
    expect(span?.parentSpanContext).to.equal(undefined);
    expect(forwarded()).to.include(span?.spanContext().traceId);
  });

  it('marks the span of an instance that fails', async () => {
    await instance.close();
    await ask('/recall?query=a', { traceparent: TRACEPARENT });
    expect((await spanOf('gateway query'))?.attributes).to.include({
      'http.response.status_code': 502,
      'error.type': '502',
    });
  });

  it('has no span for a health check', async () => {
    await ask('/health', { traceparent: TRACEPARENT });
    await ask('/recall?query=a');
    await spanOf('gateway query');
    expect(recorder.exported().map(({ name }) => name)).to.deep.equal(['gateway query']);
    expect(instance.requests[0]?.headers).to.include({ traceparent: TRACEPARENT });
  });
});
