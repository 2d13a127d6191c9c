/** The degradation rules of the contract: what the service still does when an engine is down. */
import { expect } from 'chai';
import { differencesOfService } from '../support/checks/compare-deployment.js';
import { until } from '../support/checks/until.js';
import { type Service, startService } from '../support/processes/service.js';

describe('degradation', () => {
  let service: Service;

  async function startWithout(missing: keyof Service['breakers']): Promise<void> {
    service = await startService();
    await store('The espresso machine in the kitchen needs descaling');
    await service.settled();
    service.breakers[missing].break();
  }

  /** Every difference that the fault caused is gone when the engine is back. */
  async function closeEqual(): Promise<void> {
    for (const breaker of Object.values(service.breakers)) breaker.mend();
    try {
      expect(await differencesOfService(service)).to.deep.equal([]);
    } finally {
      await service.close();
    }
  }

  async function store(content: string): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, tags: ['kitchen'] } });
    expect(answer.status).to.equal(201);
    return answer.body.memory_id;
  }

  describe('without the encoder', () => {
    beforeEach(() => startWithout('embedder'));
    afterEach(closeEqual);

    it('answers recall by keyword and names the missing source', async () => {
      const answer = await service.request('GET', '/recall?query=espresso');
      expect(answer.status).to.equal(200);
      expect(answer.body.results).to.have.length(1);
      expect(answer.body.results[0].match_type).to.equal('keyword');
      expect(answer.body.degraded).to.have.length(1);
    });

    it('accepts stores and indexes them when the encoder is back', async () => {
      const id = await store('Filter paper is in the left cupboard');
      const meanwhile = await service.request('GET', '/health');
      expect(meanwhile.body).to.include({ status: 'healthy', sync_status: 'synced' });
      expect(meanwhile.body.in_flight).to.be.greaterThan(0);
      service.breakers.embedder.mend();
      await until('the memory is recalled by meaning', async () => {
        const answer = await service.request('GET', '/recall?query=where+are+the+coffee+filters');
        return answer.body.results.some(
          (result: { id: string; match_type: string }) => result.id === id && result.match_type === 'semantic',
        );
      });
    });
  });

  describe('without the vector index', () => {
    beforeEach(() => startWithout('vectors'));
    afterEach(closeEqual);

    it('answers recall from the graph alone', async () => {
      const answer = await service.request('GET', '/recall?query=espresso');
      expect(answer.status).to.equal(200);
      expect(answer.body.vector_search.enabled).to.equal(false);
      expect(answer.body.results.map((result: { source: string }) => result.source)).to.deep.equal(['graph']);
    });

    it('reports the disconnected index in health', async () => {
      const { status, body } = await service.request('GET', '/health');
      expect(status).to.equal(200);
      expect(body).to.include({
        status: 'degraded',
        qdrant: 'disconnected',
        neo4j: 'connected',
        sync_status: 'unknown',
      });
    });

    it('accepts an embedding and indexes it later', async () => {
      const embedding = Array.from({ length: 384 }, (_, index) => (index === 7 ? 1 : 0));
      const answer = await service.request('POST', '/memory', { body: { content: 'Supplied', embedding } });
      expect(answer.status).to.equal(201);
      expect(answer.body).to.include({ qdrant: null, embedding_status: 'provided' });
      service.breakers.vectors.mend();
      await until('the vector is indexed', async () => {
        const found = await service.request('GET', `/recall?embedding=${embedding.join(',')}&limit=1`);
        return (
          found.body.results[0]?.id === answer.body.memory_id && found.body.results[0].score_components.vector > 0.99
        );
      });
    });

    it('deletes a memory, and later its vector', async () => {
      const id = await store('To be deleted');
      expect((await service.request('DELETE', `/memory/${id}`)).status).to.equal(200);
      service.breakers.vectors.mend();
      await until('both stores agree', async () => {
        const { body } = await service.request('GET', '/health');
        return body.in_flight === 0 && body.memory_count === 1 && body.vector_count === 1;
      });
    });
  });

  describe('without the graph', () => {
    before(() => startWithout('graph'));
    after(closeEqual);

    for (const [method, path, body] of [
      ['GET', '/recall?query=espresso'],
      ['GET', '/memory/by-tag?tags=kitchen'],
      ['DELETE', '/memory/by-tag?tags=kitchen'],
      ['GET', '/memory/4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11'],
      ['PATCH', '/memory/4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11', { importance: 1 }],
      ['DELETE', '/memory/4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11'],
      [
        'POST',
        '/associate',
        {
          memory1_id: '4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b11',
          memory2_id: '4b2c0f0e-9a53-4a6e-8f6c-3f6f1d7a0b12',
          type: 'RELATES_TO',
        },
      ],
    ] as const) {
      it(`answers ${method} ${path.replace(/\?.*|[0-9a-f-]{36}/u, '')} with 503`, async () => {
        const answer = await service.request(method, path, body === undefined ? {} : { body });
        expect(answer.status).to.equal(503);
        expect(answer.body).to.include({
          status: 'error',
          code: 503,
          message: 'Graph database unavailable',
          error: 'Graph database unavailable',
        });
      });
    }

    it('reports a disconnected graph in health with status 200', async () => {
      const { status, body } = await service.request('GET', '/health');
      expect(status).to.equal(200);
      expect(body).to.include({
        status: 'degraded',
        neo4j: 'disconnected',
        falkordb: 'disconnected',
        memory_count: null,
      });
    });

    it('answers /readyz with 503 and /livez with 200', async () => {
      expect((await service.request('GET', '/readyz')).status).to.equal(503);
      expect((await service.request('GET', '/livez')).status).to.equal(200);
    });
  });
});
