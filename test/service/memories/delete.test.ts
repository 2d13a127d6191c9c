import { expect } from 'chai';
import { HUB_SIZE } from '../../../shared/ports/graph.js';
import { until } from '../../support/checks/until.js';
import { startService } from '../../support/processes/service.js';
import { ABSENT_MEMORY_ID, expectProblem, idsByTag, read, type Service, store } from './memory-fixtures.js';

describe('deletion', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  describe('DELETE /memory/:id', () => {
    it('removes the memory, its associations and its hits', async () => {
      const [gone, stays] = [
        await store(service, { content: 'Walrus one' }),
        await store(service, { content: 'Walrus two' }),
      ];
      await service.request('POST', '/associate', {
        body: { memory1_id: stays, memory2_id: gone, type: 'RELATES_TO' },
      });

      const { status, body } = await service.request('DELETE', `/memory/${gone}`);

      expect(status).to.equal(200);
      expect(body).to.deep.equal({ status: 'success', memory_id: gone });
      expectProblem(await service.request('GET', `/memory/${gone}`), 404, 'Memory not found');
      expect((await read(service, stays)).relations).to.deep.equal([]);
      const recall = await service.request('GET', '/recall?query=walrus');
      expect(JSON.stringify(recall.body)).to.contain(stays).and.not.to.contain(gone);
    });

    it('removes many associations of the memory in the background', async () => {
      const gone = await store(service);
      const others: string[] = [];
      while (others.length <= HUB_SIZE) others.push(await store(service));
      const associations = others.map((other) => ({ memory1_id: other, memory2_id: gone, type: 'PART_OF' }));
      await service.request('POST', '/associate', { body: { associations } });

      expect((await service.request('DELETE', `/memory/${gone}`)).status).to.equal(200);

      expect((await read(service, others[0] ?? '')).relations).to.deep.equal([]);
      await until('no association is left', async () => {
        const { associations } = await service.engines.graph.counts({ excludedTypes: [] });
        return associations === 0;
      });
    });

    it('answers 404 for an absent memory and 400 for an invalid id', async () => {
      const id = await store(service);
      await service.request('DELETE', `/memory/${id}`);

      expectProblem(await service.request('DELETE', `/memory/${id}`), 404, 'Memory not found');
      expectProblem(await service.request('DELETE', `/memory/${ABSENT_MEMORY_ID}`), 404, 'Memory not found');
      expectProblem(await service.request('DELETE', '/memory/xyz'), 400, 'memory_id must be a valid UUID');
    });

    it('accepts an empty body with a JSON content type', async () => {
      const id = await store(service);

      expect(
        (await service.request('DELETE', `/memory/${id}`, { headers: { 'Content-Type': 'application/json' } })).status,
      ).to.equal(200);
    });
  });

  describe('DELETE /memory/by-tag', () => {
    it('deletes memories with a whole tag, in several rounds', async () => {
      const memories = Array.from({ length: 410 }, (_, index) => ({
        content: `note ${index}`,
        tags: [index % 2 ? 'Bulk:One' : 'bulk:two'],
      }));
      await service.request('POST', '/memory/batch', { body: { memories } });
      const other = await store(service, { tags: ['bulk'] });

      const { status, body } = await service.request('DELETE', '/memory/by-tag?tags=bulk:one&tags=BULK:TWO');

      expect(status).to.equal(200);
      expect(body).to.deep.equal({ status: 'success', tags: ['bulk:one', 'BULK:TWO'], deleted_count: 410 });
      expect(await idsByTag(service, 'bulk:one')).to.deep.equal([]);
      expect(await idsByTag(service, 'bulk')).to.deep.equal([other]);
    });

    it('counts 0 without a match; a comma is part of the tag', async () => {
      const id = await store(service, { tags: ['left', 'right'] });

      const { status, body } = await service.request('DELETE', '/memory/by-tag?tags=left,right');

      expect(status).to.equal(200);
      expect(body).to.include({ deleted_count: 0 });
      expect(await idsByTag(service, 'left')).to.deep.equal([id]);
    });

    it('requires a tag', async () => {
      expectProblem(
        await service.request('DELETE', '/memory/by-tag?tags=%20'),
        400,
        "'tags' query parameter is required",
      );
    });

    it('repeats its count for the same key and keeps newer memories', async () => {
      await store(service, { tags: ['once'] });
      const headers = { 'Idempotency-Key': 'delete-once' };

      const first = await service.request('DELETE', '/memory/by-tag?tags=once', { headers });
      await store(service, { tags: ['once'] });
      const second = await service.request('DELETE', '/memory/by-tag?tags=once', { headers });

      expect(first.body).to.include({ deleted_count: 1 });
      expect(second.body).to.deep.equal(first.body);
      expect(await idsByTag(service, 'once')).to.have.length(1);
    });
  });
});
