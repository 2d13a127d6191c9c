/** The spans of a recall: the request, its stages, its searches and the calls of the stores. */
import type { ReadableSpan } from '@opentelemetry/sdk-trace-node';
import { expect } from 'chai';
import { recordTraces, type TraceRecorder } from '../../support/observability/trace-recorder.js';
import { type Service, startService } from '../../support/processes/service.js';
import { CALLER_SPAN_ID, expectOneTree, pathsOf, textsOf, TRACE_ID, TRACEPARENT } from './trace-fixtures.js';

const HAS_SERVERS = process.env['PALIMPSEST_TEST_ENGINES'] === 'real';
const RARE_WORD = 'quagmire';

describe('the trace of a recall', () => {
  let service: Service;
  let recorder: TraceRecorder;
  before(async () => {
    service = await startService();
    for (const content of [`The ${RARE_WORD} delays the train`, 'The train leaves at noon'])
      await service.request('POST', '/memory', { body: { content, tags: ['travel'] } });
    await service.settled();
    await service.request('GET', '/recall?query=train'); // reads what later recalls keep
  });
  after(() => service.close());
  beforeEach(() => {
    recorder = recordTraces();
  });
  afterEach(() => recorder.close());

  async function recall(path: string, traceparent = TRACEPARENT) {
    const { status, headers } = await service.request('GET', path, { headers: { traceparent } });
    expect(status).to.equal(200);
    const stages = (headers.get('server-timing') ?? '').split(', ').map((entry) => entry.split(';')[0] ?? '');
    return { stages: stages.filter((name) => name !== 'total'), spans: recorder.exported() };
  }

  const named = (spans: readonly ReadableSpan[], name: string) => spans.filter((span) => span.name === name);

  it('has the request, its stages, its searches and the encoder', async () => {
    const { spans, stages } = await recall(`/recall?query=${RARE_WORD}+one`);
    expect(pathsOf(spans)).to.include.members([
      'recall',
      'recall retrieve < recall',
      'search vector < recall retrieve < recall',
      'search keyword < recall retrieve < recall',
      'recall encode < search vector < recall retrieve < recall',
      'embed < recall encode < search vector < recall retrieve < recall',
      'recall hydrate < recall',
      'recall score < recall',
    ]);
    const traced = new Set(spans.flatMap(({ name }) => (name.startsWith('recall ') ? [name.slice(7)] : [])));
    expect([...traced]).to.have.members(stages);
  });

  it('has the calls of the stores', async () => {
    const { spans } = await recall(`/recall?query=${RARE_WORD}+two`);
    const systems = new Set(spans.map(({ attributes }) => attributes['db.system.name']).filter(Boolean));
    // Postgres has the head of the journal, which a recall waits for.
    expect([...systems]).to.have.members(HAS_SERVERS ? ['neo4j', 'qdrant', 'postgresql'] : ['sqlite']);
    const paths = pathsOf(spans);
    const [graph, vectors] = HAS_SERVERS
      ? ['neo4j read', /^qdrant query( batch)? < search vector < recall retrieve < recall$/mu]
      : ['sqlite read', /^sqlite read < search vector < recall retrieve < recall$/mu];
    expect(paths).to.include(`${graph} < recall hydrate < recall`);
    expect(paths.join('\n')).to.match(vectors);
  });

  it('is part of the trace of its caller', async () => {
    const { spans } = await recall(`/recall?query=${RARE_WORD}+three`);
    expect(new Set(spans.map((span) => span.spanContext().traceId))).to.deep.equal(new Set([TRACE_ID]));
    expect(named(spans, 'recall').map(({ parentSpanContext }) => parentSpanContext?.spanId)).to.deep.equal([
      CALLER_SPAN_ID,
    ]);
  });

  it('is one tree, in which each part runs within its whole', async () => {
    expectOneTree((await recall(`/recall?query=${RARE_WORD}+four`)).spans);
  });

  it('counts the hits of each search', async () => {
    const { spans } = await recall(`/recall?query=${RARE_WORD}`);
    expect(named(spans, 'search keyword').map(({ attributes }) => attributes)).to.deep.equal([
      { 'palimpsest.hits': 1 },
    ]);
  });

  it('holds no word of the query and no tag', async () => {
    const { spans } = await recall(`/recall?query=${RARE_WORD}+five&tags=travel`);
    expect(textsOf(spans)).to.include('search vector').and.not.include(RARE_WORD).and.not.include('travel');
  });

  it('leaves out the stages and searches that did not run', async () => {
    const { spans } = await recall('/recall?tags=travel');
    expect(named(spans, 'recall retrieve')).to.have.lengthOf(1);
    expect(named(spans, 'recall encode')).to.deep.equal([]);
    expect(named(spans, 'search vector')).to.deep.equal([]);
  });

  it('is not recorded for a caller that does not record its own', async () => {
    const { spans } = await recall('/recall?query=train', TRACEPARENT.replace(/01$/u, '00'));
    expect(spans).to.deep.equal([]);
  });
});
