import { expect } from 'chai';
import { startService } from '../support/service.js';
import { expectProblem, idsByTag, NOBODY, read, store, type Service } from './memory-fixtures.js';

describe('deleting memories', () => {
  let service: Service;

  before(async () => {
    service = await startService();
  });

  after(() => service.close());

  describe('DELETE /memory/:id', () => {
    it('takes the memory, its associations and its hits away', async () => {
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

    it('is 404 the second time, for nobody, and 400 for an id that is none', async () => {
      const id = await store(service);
      await service.request('DELETE', `/memory/${id}`);

      expectProblem(await service.request('DELETE', `/memory/${id}`), 404, 'Memory not found');
      expectProblem(await service.request('DELETE', `/memory/${NOBODY}`), 404, 'Memory not found');
      expectProblem(await service.request('DELETE', '/memory/xyz'), 400, 'memory_id must be a valid UUID');
    });

    it('takes an empty body that calls itself JSON', async () => {
      const id = await store(service);

      expect(
        (await service.request('DELETE', `/memory/${id}`, { headers: { 'Content-Type': 'application/json' } })).status,
      ).to.equal(200);
    });
  });

  describe('DELETE /memory/by-tag', () => {
    it('deletes what holds one of the whole tags, without regard to case, in as many rounds as it takes', async () => {
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

    it('counts none where nothing matches, and a comma as part of the tag', async () => {
      const id = await store(service, { tags: ['left', 'right'] });

      const { status, body } = await service.request('DELETE', '/memory/by-tag?tags=left,right');

      expect(status).to.equal(200);
      expect(body).to.include({ deleted_count: 0 });
      expect(await idsByTag(service, 'left')).to.deep.equal([id]);
    });

    it('needs a tag', async () => {
      expectProblem(
        await service.request('DELETE', '/memory/by-tag?tags=%20'),
        400,
        "'tags' query parameter is required",
      );
    });

    it('answers the same count when it is repeated with its key, and leaves what came since', async () => {
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
