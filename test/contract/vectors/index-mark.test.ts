/** The mark of the journal in the vector index: it moves forward only, and belongs to no memory. */
import { expect } from 'chai';
import { createQdrantIndexMark } from '../../../shared/engines/qdrant/qdrant-index-mark.js';
import { type OpenIndex, VECTOR_ADAPTERS } from '../../support/adapters/vector-indexes.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { filter, point } from '../../support/fixtures/points.js';
import { dropCollections, openQdrantIndex, qdrantTestConfig } from '../../support/servers/qdrant.js';
import { isServerWanted } from '../../support/servers/servers.js';

const JOURNAL = '11111111-1111-4111-8111-111111111111';
const OTHER_JOURNAL = '22222222-2222-4222-8222-222222222222';
const markAt = (position: number, journalId = JOURNAL) => ({ journalId, position, eventId: memoryId(position) });

for (const adapter of VECTOR_ADAPTERS) {
  describe(`mark of the vector index: ${adapter.name}`, () => {
    let opened: OpenIndex;
    beforeEach(async () => (opened = await adapter.open(3)));
    afterEach(() => opened.close());

    it('is missing in new indexes and those of earlier releases', async () => {
      expect(await opened.mark.read()).to.equal(null);
      await opened.index.upsert([point(1)]);
      expect(await opened.mark.read()).to.equal(null);
    });

    it('is made by the first move and survives a restart', async () => {
      await opened.mark.advance(markAt(5));
      expect(await opened.mark.read()).to.deep.equal(markAt(5));
      opened = await opened.reopen();
      expect(await opened.mark.read()).to.deep.equal(markAt(5));
    });

    it('moves forward only', async () => {
      await opened.mark.advance(markAt(5));
      await opened.mark.advance(markAt(4));
      await opened.mark.advance({ ...markAt(5), eventId: 'another' });
      expect(await opened.mark.read()).to.deep.equal(markAt(5));
      await opened.mark.advance(markAt(6));
      expect(await opened.mark.read()).to.deep.equal(markAt(6));
    });

    it('ends at the highest position of concurrent moves', async () => {
      const positions = Array.from({ length: 20 }, (_, at) => ((at * 7) % 20) + 1);
      await Promise.all(positions.map((position) => opened.mark.advance(markAt(position))));
      expect(await opened.mark.read()).to.deep.equal(markAt(20));
    });

    it('of another journal stays', async () => {
      await opened.mark.advance(markAt(5, OTHER_JOURNAL));
      await opened.mark.advance(markAt(9));
      expect(await opened.mark.read()).to.deep.equal(markAt(5, OTHER_JOURNAL));
    });

    it('is in no search, count or version', async () => {
      await opened.index.upsert([point(1), point(2)]);
      await opened.index.remove([{ id: memoryId(2), version: 2 }]);
      await opened.mark.advance(markAt(5));
      const { index } = opened;
      for (const state of ['current', 'unarchived', 'lapsed'] as const) {
        const hits = await index.search({ vector: Float32Array.of(1, 0, 0), limit: 10, filter: filter({ state }) });
        expect(hits.map(({ id }) => id)).to.deep.equal(state === 'lapsed' ? [] : [memoryId(1)]);
      }
      expect(await index.count({ excludedTypes: [] })).to.equal(1);
      expect(await index.count({ excludedTypes: ['Context'] })).to.equal(0);
      expect([...(await index.versions([memoryId(1), memoryId(2)])).keys()]).to.deep.equal([memoryId(1)]);
    });
  });
}

if (isServerWanted('qdrant')) {
  describe('mark without a Qdrant collection', () => {
    it('is missing before it is made and after it is dropped', async () => {
      const config = qdrantTestConfig();
      const mark = createQdrantIndexMark({ config, number: 1 });
      expect(await mark.read()).to.equal(null);
      await openQdrantIndex(config);
      await mark.advance(markAt(5));
      await dropCollections(config);
      expect(await mark.read()).to.equal(null);
    });
  });
}
