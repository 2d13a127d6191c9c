/** The log line of each request. */
import { expect } from 'chai';
import { DeadlineError, DependencyError, NotFoundError } from '../../../shared/kernel/errors.js';
import { createLogger } from '../../../shared/kernel/pino-logger.js';
import { recordTraces } from '../../support/observability/trace-recorder.js';
import { type Edge, openEdge } from '../../support/processes/http-edge.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE_ID}-b7ad6b7169203331-01`;

const [DOWN, LATE, MISSING] = [1, 2, 3].map((number) => `00000000-0000-4000-8000-00000000000${number}`) as [
  string,
  string,
  string,
];
const failures: Readonly<Record<string, Error>> = {
  [DOWN]: new DependencyError('graph', 'Graph database unavailable', { cause: new Error('no answer within 5 ms') }),
  [LATE]: new DeadlineError('The queue is full'),
  [MISSING]: new NotFoundError('Memory not found'),
};

describe('the log line of a request', () => {
  let edge: Edge;
  let lines: string[];
  beforeEach(async () => {
    lines = [];
    const stream = { write: (line: string) => lines.push(line) };
    edge = await openEdge({
      logger: createLogger({ level: 'info', stream }),
      handlers: { getMemory: ({ params }) => Promise.reject(failures[params.id ?? '']) },
    });
  });
  afterEach(() => edge.close());

  const lineOf = async (headers: Record<string, string>) => {
    await edge.get('/recall?query=zanzibar', headers);
    expect(lines).to.have.length(1);
    expect(lines[0]).to.not.include('zanzibar');
    return JSON.parse(lines[0] ?? '') as Record<string, unknown>;
  };

  it('has no trace id without a trace', async () => {
    const line = await lineOf({ traceparent: 'nonsense' });
    expect(line).to.include({ msg: 'request', method: 'GET', path: '/recall', operation: 'recall', status: 200 });
    expect(line).to.not.have.property('traceId');
  });

  for (const [id, failure] of [
    [DOWN, 'Graph database unavailable: no answer within 5 ms'],
    [LATE, 'The queue is full'],
  ] as const)
    it(`is a warning with the cause "${failure}", which the reply hides`, async () => {
      const reply = await (await edge.get(`/memory/${id}`)).text();
      expect(reply).to.not.include('no answer');
      expect(JSON.parse(lines[0] ?? '')).to.include({ level: 'warn', status: 503, failure });
    });

  it('has no cause when the caller is at fault', async () => {
    await edge.get(`/memory/${MISSING}`);
    expect(JSON.parse(lines[0] ?? ''))
      .to.include({ level: 'info', status: 404 })
      .and.not.have.property('failure');
  });

  it('has the id of the trace of the caller', async () => {
    expect(await lineOf({ traceparent: TRACEPARENT })).to.include({ traceId: TRACE_ID });
  });

  it('has the id of the trace that begins with the request', async () => {
    const traces = recordTraces();
    try {
      const { traceId } = await lineOf({});
      expect(traces.named('recall').map((span) => span.traceId)).to.deep.equal([traceId]);
    } finally {
      await traces.close();
    }
  });
});
