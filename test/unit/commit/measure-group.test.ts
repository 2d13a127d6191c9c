import { expect } from 'chai';
import { measureGroup } from '../../../shared/engines/sql/measure-group.js';
import { NO_METRICS } from '../../../shared/kernel/metrics/metrics.js';
import { rejection } from '../../support/checks/rejection.js';
import { recordTraces, type TraceRecorder } from '../../support/observability/trace-recorder.js';

const TRACE_IDS = ['0af7651916cd43dd8448eb211c80319c', '1af7651916cd43dd8448eb211c80319c'] as const;
const commandOf = (traceId: string) => ({ events: [{ traceparent: `00-${traceId}-b7ad6b7169203331-01` }] });

describe('measureGroup', () => {
  let traces: TraceRecorder;
  before(() => (traces = recordTraces()));
  beforeEach(() => traces.clear());
  after(() => traces.close());

  it('gives a group of commands of several requests one span with links', async () => {
    expect(await measureGroup(NO_METRICS, TRACE_IDS.map(commandOf), async () => 'committed')).to.equal('committed');
    const [span, ...others] = traces.spans();
    expect(others).to.deep.equal([]);
    expect(span).to.deep.include({ name: 'commit group', parentId: null, links: TRACE_IDS });
    expect(span?.attributes).to.deep.equal({ 'palimpsest.commands': 2, 'palimpsest.events': 2 });
  });

  it('fails the span of a group that is not committed', async () => {
    await rejection(measureGroup(NO_METRICS, [commandOf(TRACE_IDS[0])], () => Promise.reject(new Error('full'))));
    expect(traces.spans()).to.have.length(1);
    expect(traces.spans()[0]).to.deep.include({ traceId: TRACE_IDS[0], isFailed: true });
  });
});
