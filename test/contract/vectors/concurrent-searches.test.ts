/** Concurrent searches of every vector index return the same hits as separate ones. */
import { expect } from 'chai';
import { ValidationError } from '../../../shared/kernel/errors.js';
import { type OpenIndex, VECTOR_ADAPTERS } from '../../support/adapters/vector-indexes.js';
import { rejection } from '../../support/checks/rejection.js';
import { filter, point } from '../../support/fixtures/points.js';
import { seededRandom } from '../../support/fixtures/random.js';

for (const adapter of VECTOR_ADAPTERS) {
  describe(`concurrent vector searches: ${adapter.name}`, () => {
    let opened: OpenIndex;
    beforeEach(async () => (opened = await adapter.open(3)));
    afterEach(() => opened.close());

    it('return their hits even when another one fails', async () => {
      const random = seededRandom(3);
      const vector = (): Float32Array => Float32Array.from({ length: 3 }, () => random.next() - 0.5);
      await opened.index.upsert(Array.from({ length: 60 }, (_, index) => point(index + 1, { vector: vector() })));
      const searches = (['current', 'lapsed', 'unarchived'] as const).flatMap((state) =>
        [1, 7, 100].map((limit) => ({ vector: vector(), limit, filter: filter({ state }) })),
      );
      const alone = [];
      for (const search of searches) alone.push(await opened.index.search(search));
      const refused = rejection(opened.index.search({ vector: Float32Array.of(1, 0), limit: 1, filter: filter() }));
      expect(await Promise.all(searches.map((search) => opened.index.search(search)))).to.deep.equal(alone);
      expect(await refused).to.be.instanceOf(ValidationError);
      expect(alone.map((hits) => hits.length)).to.deep.equal([1, 7, 60, 0, 0, 0, 1, 7, 60]);
    });
  });
}
