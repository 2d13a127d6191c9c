import { expect } from 'chai';
import { COUNTERS, GAUGES, HISTOGRAMS, PROCESS_GAUGES } from '../../../../shared/kernel/metrics/definitions.js';
import { createPrometheusMetrics } from '../../../../shared/kernel/metrics/prometheus-metrics.js';

describe('Prometheus metrics', () => {
  it('count each value in its bucket, by its labels', async () => {
    const metrics = createPrometheusMetrics({ service: 'test', version: '1.2.3' });
    const labels = { operation: 'recall', status: '200' };
    for (const seconds of [0.004, 0.2, 100]) metrics.observe('palimpsest_request_duration_seconds', labels, seconds);
    const text = await metrics.text();
    expect(text).to.contain('palimpsest_build_info{service="test",version="1.2.3"} 1');
    const name = 'palimpsest_request_duration_seconds';
    expect(text).to.contain(`${name}_bucket{le="0.005",operation="recall",status="200"} 1`);
    expect(text).to.contain(`${name}_bucket{le="0.25",operation="recall",status="200"} 2`);
    expect(text).to.contain(`${name}_count{operation="recall",status="200"} 3`);
    expect(text).to.match(/^nodejs_eventloop_lag_p99_seconds /mu);
  });

  it('add to a counter, by its labels', async () => {
    const metrics = createPrometheusMetrics({ service: 'test', version: '1' });
    metrics.count('palimpsest_query_vectors_total', { source: 'cache' });
    metrics.count('palimpsest_query_vectors_total', { source: 'cache' }, 4);
    expect(await metrics.text()).to.contain('\npalimpsest_query_vectors_total{source="cache"} 5\n');
  });

  it('add up figures of several readers, until a reader ends', async () => {
    const metrics = createPrometheusMetrics({ service: 'test', version: '1' });
    const read = async () => [{ name: 'palimpsest_encoder_waiting_texts', labels: ['query'], value: 2 }] as const;
    const end = metrics.report(() => read());
    metrics.report(() => read());
    expect(await metrics.text()).to.contain('palimpsest_encoder_waiting_texts{purpose="query"} 4\n');
    end();
    expect(await metrics.text()).to.contain('palimpsest_encoder_waiting_texts{purpose="query"} 2\n');
  });

  it('of one instance are not those of another one', async () => {
    const [one, other] = ['a', 'b'].map((service) => createPrometheusMetrics({ service, version: '1' }));
    one?.observe('palimpsest_recall_stage_duration_seconds', { stage: 'score' }, 1);
    expect(await other?.text()).to.not.contain('stage="score"');
  });

  it('read figures at each scrape, and keep none of an earlier one', async () => {
    const metrics = createPrometheusMetrics({ service: 'test', version: '1' });
    let lag = 3;
    metrics.report(async () =>
      lag === 0 ? [] : [{ name: 'palimpsest_projector_lag_events', labels: ['enricher'], value: lag }],
    );
    expect(await metrics.text()).to.contain('\npalimpsest_projector_lag_events{projector="enricher"} 3\n');
    lag = 0;
    expect(await metrics.text()).to.not.contain('palimpsest_projector_lag_events');
  });

  it('leave out figures that fail or take too long', async () => {
    const metrics = createPrometheusMetrics({ service: 'test', version: '1', readMs: 20 });
    metrics.report(() => Promise.reject(new Error('no server')));
    metrics.report(() => new Promise(() => undefined));
    metrics.report(async () => [{ name: 'palimpsest_journal_up', value: 0 }]);
    const text = await metrics.text();
    expect(text).to.contain('\npalimpsest_journal_up 0\n');
    expect(text).to.contain('palimpsest_build_info{');
  });

  it('read figures once for scrapes at the same time', async () => {
    const metrics = createPrometheusMetrics({ service: 'test', version: '1' });
    let reads = 0;
    metrics.report(async () => [{ name: 'palimpsest_journal_head_position', value: (reads += 1) }]);
    await Promise.all([metrics.text(), metrics.text(), metrics.text()]);
    expect(reads).to.equal(1);
    expect(await metrics.text()).to.contain('palimpsest_journal_head_position 2\n');
  });

  for (const [name, { help, labels }] of Object.entries({ ...GAUGES, ...PROCESS_GAUGES, ...COUNTERS })) {
    it(`describe ${name} and name at most one label`, () => {
      expect(name).to.match(/^palimpsest_[a-z_]+$/u);
      expect(help).to.match(/^[A-Z0-9].*\.$/u);
      expect(labels.length).to.be.below(2);
    });
  }

  for (const [name, { help, buckets }] of Object.entries(HISTOGRAMS)) {
    it(`give ${name} a unit and buckets`, () => {
      expect(name).to.match(/^palimpsest_[a-z_]+_(?:seconds|commands)$/u);
      expect(help).to.match(/^[A-Z].*\.$/u);
      expect([...buckets]).to.deep.equal([...buckets].sort((a, b) => a - b));
    });
  }
});
