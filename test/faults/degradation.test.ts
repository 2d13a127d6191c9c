/** What stays when something we stand on is gone: the degradation rules of the contract, each as a test. */
import { expect } from 'chai';
import { startService, type Service } from '../support/service.js';
import { until } from '../support/until.js';

describe('degradation', () => {
  let service: Service;

  async function startWithout(missing: keyof Service['breakers']): Promise<void> {
    service = await startService();
    await store('The espresso machine in the kitchen needs descaling');
    await service.settled();
    service.breakers[missing].break();
  }

  async function store(content: string): Promise<string> {
    const answer = await service.request('POST', '/memory', { body: { content, tags: ['kitchen'] } });
    expect(answer.status).to.equal(201);
    return answer.body.memory_id;
  }

  describe('when the encoder is down', () => {
    beforeEach(() => startWithout('embedder'));
    afterEach(() => service.close());

    it('recall answers 200 from keywords and says what is missing', async () => {
      const answer = await service.request('GET', '/recall?query=espresso');
      expect(answer.status).to.equal(200);
      expect(answer.body.results).to.have.length(1);
      expect(answer.body.results[0].match_type).to.equal('keyword');
      expect(answer.body.degraded).to.have.length(1);
    });

    it('stores are accepted and indexed when it is back', async () => {
      const id = await store('Filter paper is in the left cupboard');
      const meanwhile = await service.request('GET', '/health');
      expect(meanwhile.body).to.include({ status: 'healthy', sync_status: 'synced' });
      expect(meanwhile.body.in_flight).to.be.greaterThan(0);
      service.breakers.embedder.mend();
      await until('the memory is found by meaning', async () => {
        const answer = await service.request('GET', '/recall?query=where+are+the+coffee+filters');
        return answer.body.results.some(
          (result: { id: string; match_type: string }) => result.id === id && result.match_type === 'semantic',
        );
      });
    });
  });

  describe('when the vector index is unavailable', () => {
    beforeEach(() => startWithout('vectors'));
    afterEach(() => service.close());

    it('recall answers 200 from the graph alone', async () => {
      const answer = await service.request('GET', '/recall?query=espresso');
      expect(answer.status).to.equal(200);
      expect(answer.body.vector_search.enabled).to.equal(false);
      expect(answer.body.results.map((result: { source: string }) => result.source)).to.deep.equal(['graph']);
    });

    it('health says disconnected and degraded', async () => {
      const { status, body } = await service.request('GET', '/health');
      expect(status).to.equal(200);
      expect(body).to.include({
        status: 'degraded',
        qdrant: 'disconnected',
        neo4j: 'connected',
        sync_status: 'unknown',
      });
    });

    it('a store with an embedding is accepted with qdrant null, and its vector comes when the index is back', async () => {
      const embedding = Array.from({ length: 512 }, (_, index) => (index === 7 ? 1 : 0));
      const answer = await service.request('POST', '/memory', { body: { content: 'Supplied', embedding } });
      expect(answer.status).to.equal(201);
      expect(answer.body).to.include({ qdrant: null, embedding_status: 'provided' });
      service.breakers.vectors.mend();
      await until('the vector is there', async () => {
        const found = await service.request('GET', `/recall?embedding=${embedding.join(',')}&limit=1`);
        return (
          found.body.results[0]?.id === answer.body.memory_id && found.body.results[0].score_components.vector > 0.99
        );
      });
    });

    it('a delete succeeds, and its vector is gone when the index is back', async () => {
      const id = await store('To be deleted');
      expect((await service.request('DELETE', `/memory/${id}`)).status).to.equal(200);
      service.breakers.vectors.mend();
      await until('both stores agree', async () => {
        const { body } = await service.request('GET', '/health');
        return body.in_flight === 0 && body.memory_count === 1 && body.vector_count === 1;
      });
    });
  });

  describe('when the graph is unavailable', () => {
    before(() => startWithout('graph'));
    after(() => service.close());

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
      it(`${method} ${path.split('?')[0]} is 503 and says so`, async () => {
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

    it('health still answers 200 and says disconnected', async () => {
      const { status, body } = await service.request('GET', '/health');
      expect(status).to.equal(200);
      expect(body).to.include({
        status: 'degraded',
        neo4j: 'disconnected',
        falkordb: 'disconnected',
        memory_count: null,
      });
    });

    it('readyz is 503 while livez stays 200', async () => {
      expect((await service.request('GET', '/readyz')).status).to.equal(503);
      expect((await service.request('GET', '/livez')).status).to.equal(200);
    });
  });
});
