import { expect } from 'chai';
import { createQuantizedVectors } from '../../../../../shared/engines/sqlite/vectors/quantized-vectors.js';
import { type Random, seededRandom } from '../../../../support/fixtures/random.js';

const SLOTS = 3_000;

describe('quantized vectors', () => {
  for (const dimension of [1, 3, 16, 17, 512]) {
    it(`miss none of the nearest vectors of ${dimension} components`, () => {
      const random = seededRandom(dimension);
      const memory = createQuantizedVectors(dimension);
      const vectors = Array.from({ length: SLOTS }, (_, slot) => unitVector(random, dimension, slot % 5));
      vectors.forEach((vector, slot) => memory.write(slot, vector));
      const slots = Uint32Array.from({ length: SLOTS - 100 }, (_, index) => SLOTS - 1 - index);
      for (const limit of [1, 10, 200]) {
        const query = unitVector(random, dimension, limit % 5);
        const nearest = [...slots]
          .map((slot) => ({ slot, product: product(query, vectors[slot]) }))
          .sort((one, other) => other.product - one.product)
          .slice(0, limit);
        expect([...memory.candidates(query, slots, limit)]).to.include.members(nearest.map(({ slot }) => slot));
      }
    });
  }

  it('exclude most vectors that are not near', () => {
    const random = seededRandom(7);
    const memory = createQuantizedVectors(512);
    const slots = Uint32Array.from({ length: SLOTS }, (_, slot) => slot);
    for (const slot of slots) memory.write(slot, unitVector(random, 512, 1));
    expect(memory.candidates(unitVector(random, 512, 1), slots, 10)).to.have.length.below(100);
  });

  it('are bounded among copies, and keep the nearer vectors', () => {
    const memory = createQuantizedVectors(2);
    const slots = Uint32Array.from({ length: 10_000 }, (_, slot) => slot);
    for (const slot of slots) memory.write(slot, Float32Array.of(0.6, 0.8));
    memory.write(9_999, Float32Array.of(0.65, Math.sqrt(1 - 0.65 ** 2)));
    const found = memory.candidates(Float32Array.of(0.65, Math.sqrt(1 - 0.65 ** 2)), slots, 10);
    expect(found).to.have.length(2_000);
    expect([...found]).to.include(9_999);
    expect(memory.candidates(Float32Array.of(0.6, 0.8), slots, 1_000)).to.have.length(4_000);
  });

  it('return all slots when there are at most as many as requested', () => {
    const memory = createQuantizedVectors(2);
    for (const slot of [0, 1]) memory.write(slot, Float32Array.of(1 - slot, slot));
    expect([...memory.candidates(Float32Array.of(1, 0), Uint32Array.of(1, 0), 3)]).to.deep.equal([1, 0]);
  });

  it('replace the vector of a slot that is written again', () => {
    const memory = createQuantizedVectors(2);
    for (const slot of [0, 1]) memory.write(slot, Float32Array.of(1, 0));
    memory.write(0, Float32Array.of(0, 1));
    expect([...memory.candidates(Float32Array.of(1, 0), Uint32Array.of(0, 1), 1)]).to.deep.equal([1]);
  });
});

/** With skew 0 all components have similar sizes; with a higher skew a few large components dominate. */
function unitVector(random: Random, dimension: number, skew: number): Float32Array {
  const raw = Float32Array.from({ length: dimension }, () => (random.next() - 0.5) * random.next() ** skew || 1);
  const length = Math.hypot(...raw);
  return raw.map((component) => component / length);
}

function product(one: Float32Array, other: Float32Array | undefined): number {
  return one.reduce((sum, component, index) => sum + component * (other?.[index] ?? NaN), 0);
}
