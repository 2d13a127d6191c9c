import { expect } from 'chai';
import { type Contradiction, rankNewerFirst } from '../../../../../query-api/recall/rank/contradictions.js';
import type { AssociationType } from '../../../../../shared/contract/association.js';
import { numberedId } from '../memories.js';
import { january, numbersOf, resultOf } from '../results.js';

const between = (source: number, target: number, type: AssociationType = 'CONTRADICTS'): Contradiction => ({
  source: numberedId(source),
  target: numberedId(target),
  type,
});

describe('rankNewerFirst', () => {
  /** The oldest has the highest score; the numbers are the days. */
  const results = [
    resultOf(1, 0.9, { timestamp: january(1) }),
    resultOf(5, 0.7, { timestamp: january(5) }),
    resultOf(2, 0.5, { timestamp: january(2) }),
    resultOf(3, 0.3, { timestamp: january(3) }),
  ];

  it('raises the newer result to the score of the older, in either direction', () => {
    for (const contradiction of [between(1, 3), between(3, 1)]) {
      const ranked = rankNewerFirst(results, [contradiction]);
      expect(numbersOf(ranked)).to.deep.equal([3, 1, 5, 2]);
      expect(ranked[0]).to.deep.include({ score: 0.9, originalScore: 0.3 });
      expect(ranked[0]?.components.succession).to.be.closeTo(0.6, 1e-9);
    }
  });

  it('ranks the newest first along a chain', () => {
    expect(numbersOf(rankNewerFirst(results, [between(2, 3), between(1, 2)]))).to.deep.equal([3, 2, 1, 5]);
  });

  it('ranks a successor first, whatever the dates', () => {
    expect(numbersOf(rankNewerFirst(results, [between(5, 1, 'EVOLVED_INTO')]))).to.deep.equal([1, 5, 2, 3]);
    expect(numbersOf(rankNewerFirst(results, [between(5, 2, 'INVALIDATED_BY')]))).to.deep.equal([1, 2, 5, 3]);
  });

  it('keeps a newer result with the higher score unchanged', () => {
    expect(rankNewerFirst(results, [between(2, 5)])).to.deep.equal(results);
  });

  it('changes nothing for equal timestamps', () => {
    const same = [resultOf(1, 0.9), resultOf(2, 0.5)];
    expect(rankNewerFirst(same, [between(1, 2)])).to.deep.equal(same);
  });

  it('changes nothing for memories that are not results', () => {
    expect(rankNewerFirst(results, [between(1, 9), between(9, 1), between(1, 1)])).to.equal(results);
    expect(rankNewerFirst(results, [])).to.equal(results);
  });

  it('terminates for a cycle', () => {
    const ranked = rankNewerFirst(results, [
      between(1, 2, 'EVOLVED_INTO'),
      between(2, 3, 'EVOLVED_INTO'),
      between(3, 1, 'EVOLVED_INTO'),
    ]);
    expect([...numbersOf(ranked)].sort()).to.deep.equal([1, 2, 3, 5]);
    expect(ranked.map(({ score }) => score)).to.deep.equal([0.9, 0.9, 0.9, 0.7]);
  });
});
