/** GET /enrichment/status: the queue of what is still to be enriched. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';

describe('the status of enrichment', () => {
  let service: Service;
  before(async () => {
    service = await startService({ variables: { ENRICHMENT_MAX_ATTEMPTS: '7' } });
  });
  after(() => service.close());

  it('counts what waits while nobody enriches', async () => {
    await service.request('POST', '/memory', { body: { content: 'To be enriched one day' } });
    const { status, body } = await service.request('GET', '/enrichment/status');
    expect(status).to.equal(200);
    expect(body).to.deep.include({ status: 'stopped', queue_size: 1, pending: 1, inflight: 0, max_attempts: 7 });
    expect(body.stats).to.deep.equal({
      processed_total: 0, successes: 0, failures: 0, last_success_id: null, last_success_at: null, last_error: null, last_error_at: null,
    });
  });
});
