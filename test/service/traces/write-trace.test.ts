/** One trace from a request that writes, through the commit and the stream, to the projectors. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type RecordedSpan, recordTraces, type TraceRecorder } from '../../support/observability/trace-recorder.js';
import { type Service, startService, usesRealEngines } from '../../support/processes/service.js';
import { CALLER_SPAN_ID, TRACE_ID } from './trace-fixtures.js';

const OTHER_TRACE_ID = '1af7651916cd43dd8448eb211c80319c';
const traceparentOf = (traceId: string, spanId = CALLER_SPAN_ID) => `00-${traceId}-${spanId}-01`;
const ADMIN = { 'x-admin-token': 'admin-token' };
const WORD = 'zanzibar';
/**
 * The spans between the request and the projectors: SQLite commits journal and graph together, and the stream reads the
 * journal.
 */
const BETWEEN = usesRealEngines() ? ['commit group', 'apply to graph', 'publish events'] : ['commit group'];
const AFTER_ENRICHER = [...BETWEEN, 'project vector-indexer'];

function first(spans: readonly RecordedSpan[], name: string): RecordedSpan {
  const span = spans.find((one) => one.name === name);
  if (span === undefined) throw new Error(`No span ${name} among ${spans.map((one) => one.name).join(', ')}`);
  return span;
}

describe('write trace', () => {
  let traces: TraceRecorder;
  let service: Service;
  let id: string;
  let spans: readonly RecordedSpan[];

  before(async () => {
    traces = recordTraces();
    service = await startService({ enriches: true, variables: { ADMIN_API_TOKEN: 'admin-token' } });
    const { body } = await service.request('POST', '/memory', {
      headers: { traceparent: traceparentOf(TRACE_ID) },
      body: { content: `The lighthouse of ${WORD} is white`, tags: [WORD] },
    });
    id = body.memory_id;
    await service.settled();
    await until('the enriched memory is in the index', () => {
      spans = traces.ofTrace(TRACE_ID);
      const names = new Set(causedByEnricher().map(({ name }) => name));
      return AFTER_ENRICHER.every((name) => names.has(name));
    });
  });
  after(async () => {
    await service.close();
    await traces.close();
  });

  /** The stream may deliver an event more than once: of several spans, the one that recorded the enrichment. */
  const enricher = () =>
    spans.find(
      ({ name, spanId }) =>
        name === 'project enricher' && spans.some((one) => one.name === 'commit group' && one.parentId === spanId),
    );
  const causedByEnricher = () => spans.filter(({ parentId }) => parentId === enricher()?.spanId);

  it('continues the trace of the caller', () => {
    const request = first(spans, 'storeMemory');
    expect(request.parentId).to.equal(CALLER_SPAN_ID);
    expect(request.attributes).to.include({ 'http.response.status_code': 201 });
  });

  for (const name of [...BETWEEN, 'project vector-indexer', 'project enricher']) {
    it(`has the span ${name} below the request`, () => {
      expect(first(spans, name)).to.deep.include({ parentId: first(spans, 'storeMemory').spanId, isFailed: false });
    });
  }

  for (const name of AFTER_ENRICHER) {
    it(`has the span ${name} of the enriched memory`, () =>
      expect(first(causedByEnricher(), name).isFailed).to.equal(false));
  }

  it('is named by its events', async () => {
    const { body } = await service.request('GET', `/events?subject=${id}`);
    expect(body.events.map(({ type, traceparent }: Record<string, string>) => [type, traceparent])).to.deep.equal([
      ['memory.stored', traceparentOf(TRACE_ID, first(spans, 'storeMemory').spanId)],
      ['memory.enriched', traceparentOf(TRACE_ID, enricher()?.spanId)],
    ]);
  });

  it('has no id of a memory and no word of the caller', () => {
    const texts = JSON.stringify(spans.map(({ name, attributes }) => [name, attributes]));
    expect(texts).to.not.include(id).and.not.include(WORD);
  });

  it('is linked by a batch with events of several traces', async () => {
    const control = (action: string) =>
      service.request('POST', `/admin/projectors/vector-indexer/${action}`, { headers: ADMIN });
    const indexer = async () => {
      const { body } = await service.request('GET', '/admin/projectors', { headers: ADMIN });
      return body.projectors.find(({ name }: { name: string }) => name === 'vector-indexer');
    };
    await control('pause');
    await until('the projector is paused', async () =>
      (await indexer()).instances.every(({ status }: { status: string }) => status !== 'running'),
    );
    traces.clear();
    for (const [importance, traceId] of [TRACE_ID, OTHER_TRACE_ID].entries())
      await service.request('PATCH', `/memory/${id}`, {
        headers: { traceparent: traceparentOf(traceId) },
        body: { importance },
      });
    const between = BETWEEN.at(-1) ?? '';
    await until('both changes are in the stream', () =>
      [TRACE_ID, OTHER_TRACE_ID].every((traceId) => traces.ofTrace(traceId).some(({ name }) => name === between)),
    );
    await control('resume');
    await service.settled();
    const [batch] = traces.named('project vector-indexer');
    expect(batch?.attributes).to.deep.equal({ 'palimpsest.events': 2 });
    expect(batch?.parentId).to.equal(null);
    expect(batch?.links).to.deep.equal([TRACE_ID, OTHER_TRACE_ID]);
  });
});
