/** What comparison and repair ask of every vector index: whole points in order, and which writes replace a point. */
import { expect } from 'chai';
import type { ScannedPoint } from '../../../shared/ports/vectors.js';
import { tagPrefixes } from '../../../shared/text/tags.js';
import { type OpenIndex, VECTOR_ADAPTERS } from '../../support/adapters/vector-indexes.js';
import { memoryId } from '../../support/fixtures/memories.js';
import { point } from '../../support/fixtures/points.js';

for (const adapter of VECTOR_ADAPTERS) {
  describe(`whole points: ${adapter.name}`, () => {
    let opened: OpenIndex;
    beforeEach(async () => (opened = await adapter.open(3)));
    afterEach(() => opened.close());

    it('walks over all points by id, without removed ones and the mark', async () => {
      const numbers = Array.from({ length: 25 }, (_, index) => index + 1);
      const payload = {
        tags: ['One:Two'],
        tagPrefixes: tagPrefixes(['One:Two']),
        validFrom: '2024-01-01T00:00:00.000000+00:00',
      };
      await opened.index.upsert([...numbers].reverse().map((number) => point(number, { version: number, payload })));
      await opened.index.remove([{ id: memoryId(3), version: 9 }]);
      await opened.mark.advance({ journalId: memoryId(99), position: 7, eventId: memoryId(98) });
      const found: ScannedPoint[] = [];
      for (let page = await opened.index.scan({ after: '', limit: 7 }); page.length > 0;) {
        found.push(...page);
        page = await opened.index.scan({ after: found.at(-1)?.id ?? '', limit: 7 });
      }
      expect(found.map(({ id }) => id)).to.deep.equal(numbers.filter((number) => number !== 3).map(memoryId));
      const { vector: _vector, ...written } = point(25, { version: 25, payload });
      expect(found.at(-1)).to.deep.equal(written);
      expect(await opened.index.points([25, 3, 99].map(memoryId))).to.deep.equal([written]);
    });

    it('reads vectors at unit length, without removed and unknown points', async () => {
      await opened.index.upsert([point(1, { vector: Float32Array.of(0, 3, 4) }), point(2), point(3)]);
      await opened.index.remove([{ id: memoryId(3), version: 9 }]);
      const vectors = await opened.index.vectors([1, 2, 3, 99].map(memoryId));
      expect(vectors).to.have.property('size', 2);
      const [x, y, z] = vectors.get(memoryId(1)) ?? [];
      expect(x).to.equal(0);
      expect(y).to.be.closeTo(0.6, 1e-6);
      expect(z).to.be.closeTo(0.8, 1e-6);
      expect(vectors.get(memoryId(2))).to.deep.equal(Float32Array.of(1, 0, 0));
      expect(await opened.index.vectors([])).to.have.property('size', 0);
    });

    it('writes over the same version, and never over a newer one', async () => {
      const models = async () => (await opened.index.points([1, 2].map(memoryId))).map(({ id, model }) => [id, model]);
      await opened.index.upsert([point(1, { version: 2 }), point(2, { version: 4 })]);
      const again = [point(1, { version: 2, model: 'other' }), point(2, { version: 3, model: 'other' })];
      await opened.index.upsert(again);
      expect(await models()).to.have.deep.members([
        [memoryId(1), 'other'],
        [memoryId(2), 'test'],
      ]);
    });

    it('removes the same version, and never a newer one', async () => {
      await opened.index.upsert([point(1, { version: 2 }), point(2, { version: 4 })]);
      const removals = [
        { id: memoryId(1), version: 2 },
        { id: memoryId(2), version: 3 },
      ];
      await opened.index.remove(removals);
      expect((await opened.index.points([1, 2].map(memoryId))).map(({ id }) => id)).to.deep.equal([memoryId(2)]);
    });
  });
}
