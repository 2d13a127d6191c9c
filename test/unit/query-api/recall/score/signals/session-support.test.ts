import { expect } from 'chai';
import { sessionSupport } from '../../../../../../query-api/recall/score/signals/session-support.js';

describe('session support', () => {
  const entries = (...of: readonly number[]) => of.map((index) => ({ index, at: index, position: 0 }));

  it('is the share of the best session', () => {
    expect(sessionSupport([entries(0, 1), entries(2, 3)], [1, 0, 0.5, 0])).to.deep.equal([1, 1, 0.25, 0.25]);
  });

  it('prefers one strong match to many weak ones', () => {
    const [strong = 0, , weak = 0] = sessionSupport(
      [entries(0, 1), entries(2, 3, 4, 5, 6, 7, 8)],
      [0.9, 0, ...Array<number>(7).fill(0.3)],
    );
    expect(strong).to.be.greaterThan(weak);
  });

  it('is 0 when nothing matches', () => {
    expect(sessionSupport([entries(0, 1)], [0, 0])).to.deep.equal([0, 0]);
  });
});
