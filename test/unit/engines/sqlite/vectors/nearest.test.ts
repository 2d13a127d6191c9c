import { expect } from 'chai';
import fc from 'fast-check';
import { createNearest } from '../../../../../shared/engines/sqlite/vectors/nearest.js';
import { memoryId } from '../../../../support/fixtures/memories.js';

describe('nearest', () => {
  it('keeps the same hits as a full sort, for any similarities and any limit', () => {
    const similarities = fc.array(fc.constantFrom(-1, -0.5, 0, 0.25, 0.5, 1), { maxLength: 60 });
    fc.assert(
      fc.property(similarities, fc.integer({ min: 1, max: 20 }), (values, limit) => {
        const hits = values.map((similarity, index) => ({ id: memoryId((index * 37) % 61), similarity }));
        const nearest = createNearest(limit);
        hits.forEach(nearest.offer);
        const sorted = [...hits].sort((a, b) => b.similarity - a.similarity || (a.id < b.id ? -1 : 1));
        expect(nearest.hits()).to.deep.equal(sorted.slice(0, limit));
      }),
      { seed: 7 },
    );
  });

  it('returns the smallest similarity to keep when it is full', () => {
    const nearest = createNearest(2);
    nearest.offer({ id: memoryId(1), similarity: 0.5 });
    expect(nearest.floor()).to.equal(-Infinity);
    nearest.offer({ id: memoryId(2), similarity: 0.9 });
    expect(nearest.floor()).to.equal(0.5);
  });
});
