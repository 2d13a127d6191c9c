import { expect } from 'chai';
import { neighbourSupport } from '../../../../../../query-api/recall/score/signals/neighbour-support.js';

describe('neighbour support', () => {
  const session = (...times: readonly number[]) => [times.map((time, index) => ({ index, at: time, position: 0 }))];

  it('is the best match of both neighbours, or 0.7 of its own', () => {
    expect(neighbourSupport(session(1, 2, 3), [0.2, 0.5, 0.6])).to.deep.equal([0.5, 0.6, 0.5]);
  });

  it('ignores neighbours of one time without positions', () => {
    expect(neighbourSupport(session(1, 1, 3), [0.5, 0.5, 0.6])).to.deep.equal([0.35, 0.6, 0.5]);
  });

  it('knows the neighbours of one time by their positions', () => {
    const written = [[2, 5, 9].map((position, index) => ({ index, at: 1, position }))];
    expect(neighbourSupport(written, [0.2, 0.5, 0.6])).to.deep.equal([0.5, 0.6, 0.5]);
  });

  it('skips other pieces of the same source', () => {
    const sources = ['a', 'b', 'b', null, null];
    expect(neighbourSupport(session(1, 2, 3, 4, 5), [0.1, 0.2, 0.9, 0.3, 0.4], sources)).to.deep.equal([
      0.9,
      0.3,
      0.7 * 0.9,
      0.9,
      0.3,
    ]);
  });

  it('is 1 for a full match and for its neighbour', () => {
    for (const own of [0, 0.3, 0.6, 0.9]) {
      const [match = 0, neighbour = 0] = neighbourSupport(session(1, 2), [1, own]);
      expect(match).to.equal(1);
      expect(neighbour).to.equal(1);
    }
  });
});
