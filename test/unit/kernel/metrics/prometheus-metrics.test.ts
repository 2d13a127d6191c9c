import { expect } from 'chai';
import { METRICS } from '../../../../shared/kernel/metrics/definitions.js';
import { createPrometheusMetrics } from '../../../../shared/kernel/metrics/prometheus-metrics.js';

describe('metrics for Prometheus', () => {
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

  it('of one instance are not those of another one', async () => {
    const [one, other] = ['a', 'b'].map((service) => createPrometheusMetrics({ service, version: '1' }));
    one?.observe('palimpsest_recall_stage_duration_seconds', { stage: 'score' }, 1);
    expect(await other?.text()).to.not.contain('stage="score"');
  });

  for (const [name, { help, labels, buckets }] of Object.entries(METRICS)) {
    it(`have a unit, a sentence, labels and rising buckets: ${name}`, () => {
      expect(name).to.match(/^palimpsest_[a-z_]+_seconds$/u);
      expect(help).to.match(/^[A-Z].*\.$/u);
      expect(labels.length).to.be.above(0);
      expect([...buckets]).to.deep.equal([...buckets].sort((a, b) => a - b));
    });
  }
});
