import { expect } from 'chai';
import type { AssociationType } from '../../../shared/contract/association.js';
import { newestFirst, type Dispute } from '../../../query-api/recall/newest-first.js';
import { numberedId } from './memories.js';
import { january, numbersOf, resultOf } from './results.js';

const dispute = (source: number, target: number, type: AssociationType = 'CONTRADICTS'): Dispute => ({
  source: numberedId(source),
  target: numberedId(target),
  type,
});

describe('the newest statement', () => {
  /** Numbered from the oldest on, the oldest the best. */
  const results = [
    resultOf(1, 0.9, { timestamp: january(1) }),
    resultOf(5, 0.7, { timestamp: january(5) }),
    resultOf(2, 0.5, { timestamp: january(2) }),
    resultOf(3, 0.3, { timestamp: january(3) }),
  ];

  it('takes over the score of the older one that it contradicts, whichever way that is said', () => {
    for (const said of [dispute(1, 3), dispute(3, 1)]) {
      const ranked = newestFirst(results, [said]);
      expect(numbersOf(ranked)).to.deep.equal([3, 1, 5, 2]);
      expect(ranked[0]).to.deep.include({ score: 0.9, originalScore: 0.3 });
      expect(ranked[0]?.components.succession).to.be.closeTo(0.6, 1e-9);
    }
  });

  it('comes first along a chain', () => {
    expect(numbersOf(newestFirst(results, [dispute(2, 3), dispute(1, 2)]))).to.deep.equal([3, 2, 1, 5]);
  });

  it('is the one that the other evolved into, whatever their dates', () => {
    expect(numbersOf(newestFirst(results, [dispute(5, 1, 'EVOLVED_INTO')]))).to.deep.equal([1, 5, 2, 3]);
    expect(numbersOf(newestFirst(results, [dispute(5, 2, 'INVALIDATED_BY')]))).to.deep.equal([1, 2, 5, 3]);
  });

  it('keeps its score where it is the better one anyway', () => {
    expect(newestFirst(results, [dispute(2, 5)])).to.deep.equal(results);
  });

  it('is none among contradictions of the same time', () => {
    const same = [resultOf(1, 0.9), resultOf(2, 0.5)];
    expect(newestFirst(same, [dispute(1, 2)])).to.deep.equal(same);
  });

  it('changes nothing for memories that are no results', () => {
    expect(newestFirst(results, [dispute(1, 9), dispute(9, 1), dispute(1, 1)])).to.equal(results);
    expect(newestFirst(results, [])).to.equal(results);
  });

  it('ends for those that evolve in a circle', () => {
    const ranked = newestFirst(results, [
      dispute(1, 2, 'EVOLVED_INTO'),
      dispute(2, 3, 'EVOLVED_INTO'),
      dispute(3, 1, 'EVOLVED_INTO'),
    ]);
    expect([...numbersOf(ranked)].sort()).to.deep.equal([1, 2, 3, 5]);
    expect(ranked.map(({ score }) => score)).to.deep.equal([0.9, 0.9, 0.9, 0.7]);
  });
});
