/** A live stream lasts for hours: what it reads for each event is no part of the trace of its request. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { watch } from '../../support/clients/event-stream.js';
import { recordTraces, type TraceRecorder } from '../../support/observability/trace-recorder.js';
import { type Service, startService } from '../../support/processes/service.js';
import { TRACE_ID, TRACEPARENT } from './trace-fixtures.js';

describe('the trace of a live stream', () => {
  let service: Service;
  let recorder: TraceRecorder;
  before(async () => {
    service = await startService();
    recorder = recordTraces();
  });
  after(async () => {
    await recorder.close();
    await service.close();
  });

  const names = () =>
    recorder
      .exported()
      .filter((span) => span.spanContext().traceId === TRACE_ID)
      .map(({ name }) => name);

  it('ends with its request and has no reads of its events', async () => {
    const watcher = await watch(service.url, { headers: { traceparent: TRACEPARENT } });
    const before = names();
    await service.request('POST', '/memory', { body: { content: 'The train leaves at noon' } });
    await until('the event has come', () => watcher.events().length > 0);
    await watcher.close();
    await until('the request has ended', () => names().includes('stream'));
    expect(names()).to.deep.equal([...before, 'stream']);
  });
});
