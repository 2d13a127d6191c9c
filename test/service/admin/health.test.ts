/** GET /health: the report of a running service about its engines and its background work. */
import { expect } from 'chai';
import { until } from '../../support/checks/until.js';
import { type Service, startService } from '../../support/processes/service.js';

describe('GET /health', () => {
  let service: Service;
  before(async () => {
    service = await startService({ enriches: true });
  });
  after(() => service.close());

  async function health() {
    const { status, body } = await service.request('GET', '/health');
    expect(status).to.equal(200);
    return body;
  }

  it('is healthy when the service is empty', async () => {
    expect(await health()).to.include({
      status: 'healthy',
      neo4j: 'connected',
      falkordb: 'connected',
      qdrant: 'connected',
      memory_count: 0,
      vector_count: 0,
      sync_status: 'synced',
      in_flight: 0,
      dead_letters: 0,
      indexer: 'running',
      journal: 'connected',
    });
  });

  it('stays healthy while vectors are in flight, and counts them', async () => {
    const { body } = await service.request('POST', '/memory', { body: { content: 'On its way' } });
    expect(body.status).to.equal('success');
    expect(await health()).to.include({ status: 'healthy', sync_status: 'synced', memory_count: 1 });
    await service.settled();
    await until('the indexer has saved its position', async () => (await health()).in_flight === 0);
    expect(await health()).to.include({ status: 'healthy', sync_status: 'synced', memory_count: 1, vector_count: 1 });
  });

  it('reports dimensions and enrichment', async () => {
    const body = await health();
    expect(body.vector_dimensions).to.deep.equal({ configured: 384, effective: 384, collection: 384, mismatch: false });
    expect(body.enrichment).to.include({ status: 'running', queue_depth: 0, pending: 0, failed: 0 });
  });
});
