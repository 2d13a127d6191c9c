/** Spans without a tracer, and with one that records them. */
import { SpanKind } from '@opentelemetry/api';
import { expect } from 'chai';
import { NotFoundError } from '../../../../shared/kernel/errors.js';
import { currentTraceparent, withBatchSpan, withoutSpan, withSpan } from '../../../../shared/kernel/tracing/tracing.js';
import { rejection } from '../../../support/checks/rejection.js';
import { recordTraces, type TraceRecorder } from '../../../support/observability/trace-recorder.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const CALLER = `00-${TRACE_ID}-b7ad6b7169203331-01`;
const NOT_SAMPLED = `00-${TRACE_ID}-b7ad6b7169203331-00`;
const OTHER_TRACE_ID = '1af7651916cd43dd8448eb211c80319c';
const OTHER = `00-${OTHER_TRACE_ID}-c7ad6b7169203331-01`;
const WORD = 'zanzibar';

const eventsOf = (traceparents: readonly (string | null)[]) => traceparents.map((traceparent) => ({ traceparent }));

describe('tracing without a tracer', () => {
  it('only calls the work', async () => {
    expect(withSpan('work', {}, ({ traceparent }) => [traceparent, currentTraceparent()])).to.deep.equal([null, null]);
    expect(await withSpan('work', { parent: CALLER }, async () => 3)).to.equal(3);
    expect(withBatchSpan('batch', { events: eventsOf([CALLER]) }, ({ traceparent }) => traceparent)).to.equal(null);
    expect(withoutSpan(() => 4)).to.equal(4);
  });

  it('passes errors on', async () => {
    const fail = () => {
      throw new Error('failed');
    };
    expect(() => withSpan('work', {}, fail)).to.throw('failed');
    expect((await rejection(withSpan('work', {}, async () => fail()))).message).to.equal('failed');
  });
});

describe('tracing', () => {
  let traces: TraceRecorder;
  before(() => (traces = recordTraces()));
  beforeEach(() => traces.clear());
  after(() => traces.close());

  const only = () => {
    const [span, ...others] = traces.spans();
    expect(others).to.deep.equal([]);
    if (span === undefined) throw new Error('no span was recorded');
    return span;
  };

  it('continues the trace of the caller', () => {
    const traceparent = withSpan('work', { kind: 'server', parent: CALLER, attributes: { count: 2 } }, (span) => {
      span.rename('storeMemory');
      span.set({ status: 201 });
      return span.traceparent;
    });
    const { spanId, whole, ...span } = only();
    expect(traceparent).to.equal(`00-${TRACE_ID}-${spanId}-01`);
    expect(whole.kind).to.equal(SpanKind.SERVER);
    expect(span).to.deep.equal({
      name: 'storeMemory',
      traceId: TRACE_ID,
      parentId: 'b7ad6b7169203331',
      links: [],
      attributes: { count: 2, status: 201 },
      isFailed: false,
    });
  });

  it('begins a trace for an invalid parent', () => {
    withSpan('work', { parent: 'nonsense' }, () => undefined);
    expect(only()).to.include({ parentId: null });
  });

  it('nests spans across awaits', async () => {
    await withSpan('outer', { parent: null }, async () => {
      await Promise.resolve();
      await withSpan('inner', {}, async () => undefined);
    });
    const [inner, outer] = traces.spans();
    expect([inner?.name, outer?.name]).to.deep.equal(['inner', 'outer']);
    expect(inner?.parentId).to.equal(outer?.spanId);
    expect(currentTraceparent()).to.equal(null);
  });

  it('gives the current span to the next process', () => {
    withSpan('work', {}, ({ traceparent }) => expect(currentTraceparent()).to.equal(traceparent));
  });

  it('runs work outside of every span', () => {
    withSpan('work', {}, () => expect(withoutSpan(currentTraceparent)).to.equal(null));
  });

  for (const [name, type, error] of [
    ['the code of one of our errors', 'not_found', new NotFoundError(`${WORD} not found`)],
    ['the code of a system error', 'ECONNRESET', Object.assign(new Error(WORD), { code: 'ECONNRESET' })],
    ['the class of any other error', 'TypeError', new TypeError(WORD)],
  ] as const) {
    for (const kind of ['throws', 'rejects'] as const) {
      it(`names ${name} that work ${kind}, without its message`, async () => {
        const work =
          kind === 'rejects'
            ? () => Promise.reject(error)
            : () => {
                throw error;
              };
        expect(await rejection(Promise.resolve().then(() => withSpan('work', {}, work)))).to.equal(error);
        const span = only();
        expect(span).to.deep.include({ isFailed: true, attributes: { 'error.type': type } });
        expect(span.whole.status.message).to.equal(undefined);
        expect(span.whole.events).to.deep.equal([]);
        expect(JSON.stringify(span.attributes)).not.to.include(WORD);
      });
    }
  }

  it('fails a span on request', () => {
    withSpan('work', {}, (span) => span.fail('503'));
    expect(only()).to.deep.include({ isFailed: true, attributes: { 'error.type': '503' } });
  });

  describe('of a batch', () => {
    it('continues the trace of its only cause, however often it is named', () => {
      withBatchSpan('batch', { events: eventsOf([CALLER, null, CALLER]) }, () => undefined);
      expect(only()).to.deep.include({ traceId: TRACE_ID, parentId: 'b7ad6b7169203331', links: [] });
    });

    it('continues the one trace of several causes, with links to the others', () => {
      withBatchSpan('batch', { events: eventsOf([CALLER, CALLER.replace('b7', 'd7')]) }, () => undefined);
      expect(only()).to.deep.include({ traceId: TRACE_ID, parentId: 'b7ad6b7169203331', links: [TRACE_ID] });
    });

    it('is a trace of its own with links to causes in several traces', () => {
      withSpan('request of another caller', {}, () =>
        withBatchSpan('batch', { events: eventsOf([CALLER, OTHER, CALLER]) }, () => undefined),
      );
      const [batch] = traces.named('batch');
      expect(batch?.parentId).to.equal(null);
      expect([TRACE_ID, OTHER_TRACE_ID]).not.to.include(batch?.traceId);
      expect(batch?.links).to.deep.equal([TRACE_ID, OTHER_TRACE_ID]);
    });

    it('continues the only sampled trace, whichever traces share the batch', () => {
      withBatchSpan('batch', { events: eventsOf([NOT_SAMPLED, OTHER]) }, () => undefined);
      expect(only()).to.deep.include({ traceId: OTHER_TRACE_ID, links: [] });
    });

    it('is not sampled when none of its causes is sampled', () => {
      const flags = withBatchSpan(
        'batch',
        { events: eventsOf([NOT_SAMPLED, OTHER.replace(/1$/u, '0')]) },
        ({ traceparent }) => traceparent?.slice(-2),
      );
      expect([flags, traces.spans()]).to.deep.equal(['00', []]);
    });

    it('has no span without a cause, and leaves the span around it', () => {
      withSpan('request of another caller', {}, () =>
        withBatchSpan('batch', { events: eventsOf([null, null]) }, () => expect(currentTraceparent()).to.equal(null)),
      );
      expect(only().name).to.equal('request of another caller');
    });
  });
});
