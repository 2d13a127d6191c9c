import { expect } from 'chai';
import { createExactVectors } from '../../../../../shared/engines/sqlite/vectors/exact-vectors.js';
import { seededRandom } from '../../../../support/fixtures/random.js';

describe('exact vectors', () => {
  for (const dimension of [1, 3, 16, 17, 512]) {
    it(`computes the dot products of ${dimension} components, also after growing`, () => {
      const random = seededRandom(dimension).next;
      const vector = (): Float32Array => Float32Array.from({ length: dimension }, () => random() - 0.5);
      const vectors = Array.from({ length: 5_000 }, vector);
      const memory = createExactVectors(dimension, { read: (slot) => vectors[slot] ?? null });
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

  it('reads a vector again after it was forgotten, and leaves out one that is gone', () => {
    const vectors = [Float32Array.of(1, 0), Float32Array.of(0, 1)];
    const memory = createExactVectors(2, { read: (slot) => vectors[slot] ?? null });
    const products = (): (readonly [number, number])[] => {
      const found: (readonly [number, number])[] = [];
      memory.score(Float32Array.of(1, 0), Uint32Array.of(0, 7, 1), (...hit) => found.push(hit));
      return found;
    };
    const both = products();
    vectors[0] = Float32Array.of(0.5, 0);
    expect(both).to.deep.equal([
      [0, 1],
      [1, 0],
    ]);
    expect(products()).to.deep.equal(both);
    memory.forget(0);
    expect(products()[0]).to.deep.equal([0, 0.5]);
  });

  it('scores more slots than it keeps, and reads only those that it does not keep', () => {
    const read: number[] = [];
    const memory = createExactVectors(2, {
      read: (slot) => (read.push(slot), Float32Array.of(slot, 0)),
      cachedRows: 3,
    });
    const score = (...slots: readonly number[]): number[] => {
      const products: number[] = [];
      memory.score(Float32Array.of(1, 0), Uint32Array.from(slots), (_, product) => products.push(product));
      return products;
    };
    expect(score(1, 2, 3, 4, 5, 6, 7)).to.deep.equal([1, 2, 3, 4, 5, 6, 7]);
    read.length = 0;
    expect(score(6, 1, 7)).to.deep.equal([6, 1, 7]);
    expect(read).to.deep.equal([1]);
  });
});
