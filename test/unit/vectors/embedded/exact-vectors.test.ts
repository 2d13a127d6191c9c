import { expect } from 'chai';
import { createExactVectors } from '../../../../shared/vectors/embedded/exact-vectors.js';
import { seededRandom } from '../../../support/fixtures/random.js';

describe('exact vectors', () => {
  for (const dimension of [1, 3, 16, 17, 512]) {
    it(`computes the dot products of ${dimension} components, also after growing`, () => {
      const random = seededRandom(dimension).next;
      const vector = (): Float32Array => Float32Array.from({ length: dimension }, () => random() - 0.5);
      const memory = createExactVectors(dimension);
      const vectors = Array.from({ length: 5_000 }, vector);
      vectors.forEach((one, slot) => memory.write(slot, one));
      const query = vector();
      const slots = Uint32Array.from({ length: 4_500 }, (_, index) => 4_999 - index);
      const products = new Map<number, number>();
      memory.score(query, slots, (slot, product) => products.set(slot, product));
      expect(products.size).to.equal(slots.length);
      for (const slot of slots) {
        const expected = query.reduce((sum, component, index) => sum + component * (vectors[slot]?.[index] ?? NaN), 0);
        expect(products.get(slot)).to.be.closeTo(expected, 1e-4);
      }
    });
  }

  it('replaces the vector of a slot that is written again', () => {
    const memory = createExactVectors(2);
    memory.write(0, Float32Array.of(1, 0));
    memory.write(0, Float32Array.of(0, 1));
    const products: number[] = [];
    memory.score(Float32Array.of(1, 0), Uint32Array.of(0), (_, product) => products.push(product));
    expect(products).to.deep.equal([0]);
  });
});
