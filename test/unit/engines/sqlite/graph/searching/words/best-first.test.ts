import { expect } from 'chai';
import { bestFirst } from '../../../../../../../shared/engines/sqlite/graph/searching/words/best-first.js';
import { seededRandom } from '../../../../../../support/fixtures/random.js';

describe('bestFirst', () => {
  it('returns the slots in portions, in the order of a full sort', () => {
    const random = seededRandom(2);
    for (const [count, kinds] of [
      [1, 1],
      [2, 1],
      [1_000, 1],
      [1_000, 5],
      [5_000, 1_000_000],
    ] as const) {
      const weights = Float64Array.from({ length: count }, () => random.below(kinds));
      const slots = Uint32Array.from({ length: count }, (_, slot) => slot);
      const sorted = [...slots].sort((one, other) => (weights[other] ?? 0) - (weights[one] ?? 0) || one - other);
      const next = bestFirst(slots, weights);
      const taken: number[] = [];
      for (let part = next(1); part.length > 0; part = next(1 + random.below(count))) taken.push(...part);
      expect(taken).to.deep.equal(sorted);
    }
  });

  it('returns nothing without slots', () => {
    expect(bestFirst(new Uint32Array(0), new Float64Array(0))(10)).to.have.length(0);
  });
});
