/** A tool call is one trace with the requests that the tool makes. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { expect } from 'chai';
import { connectTo } from '../../support/clients/mcp.js';
import { recordTraces, type TraceRecorder } from '../../support/observability/trace-recorder.js';
import { type Service, startService } from '../../support/processes/service.js';
import { CALLER_SPAN_ID, pathsOf, textsOf, TRACE_ID, TRACEPARENT } from './trace-fixtures.js';

const OTHER_TRACE_ID = '1af7651916cd43dd8448eb211c80319d';

describe('the trace of a tool call', () => {
  let service: Service;
  let client: Client;
  let recorder: TraceRecorder;
  before(async () => {
    service = await startService({ variables: { MCP_ENABLED: 'true' } });
    client = await connectTo(`${service.url}/mcp`, { traceparent: TRACEPARENT });
  });
  after(async () => {
    await client.close();
    await service.close();
  });
  beforeEach(() => {
    recorder = recordTraces();
  });
  afterEach(() => recorder.close());

  const recall = (query: string, _meta?: Record<string, unknown>) =>
    client.callTool({ name: 'recall_memory', arguments: { query }, ...(_meta && { _meta }) });

  it('has the request, the tool and the recall that the tool asks for', async () => {
    await recall('quagmire');
    const spans = recorder.exported().filter((span) => span.spanContext().traceId === TRACE_ID);
    const [path] = pathsOf(spans).filter((one) => one.startsWith('recall retrieve'));
    // The span of the HTTP request ends after its answer has been sent.
    expect(path).to.match(/^recall retrieve < recall < tool recall_memory/u);
    const tool = spans.find(({ name }) => name === 'tool recall_memory');
    expect(tool?.attributes).to.deep.equal({ 'palimpsest.outcome': 'ok' });
    expect(textsOf(spans)).to.not.include('quagmire');
  });

  it('continues the trace that the message names', async () => {
    await recall('train', { traceparent: `00-${OTHER_TRACE_ID}-${CALLER_SPAN_ID}-01` });
    const spans = recorder.exported();
    const tool = spans.find(({ name }) => name === 'tool recall_memory');
    expect(tool?.parentSpanContext?.spanId).to.equal(CALLER_SPAN_ID);
    expect(tool?.links.map(({ context }) => context.traceId)).to.deep.equal([TRACE_ID]);
    const request = spans.find(({ name }) => name === 'recall');
    expect(request?.spanContext().traceId).to.equal(OTHER_TRACE_ID);
  });

  it('ignores a value in the message that is no traceparent', async () => {
    await recall('train', { traceparent: 'quagmire' });
    const tool = recorder.exported().find(({ name }) => name === 'tool recall_memory');
    expect(tool?.spanContext().traceId).to.equal(TRACE_ID);
  });
});
