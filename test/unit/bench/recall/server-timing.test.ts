import { expect } from 'chai';
import { parseServerTiming, sharesOf, shareText } from '../../../bench/recall/server-timing.js';

describe('stage shares', () => {
  it('are computed over all answers', () => {
    const shares = sharesOf([
      parseServerTiming('retrieve;dur=6, score;dur=1.5, total;dur=10'),
      parseServerTiming('retrieve;dur=24, total;dur=30'),
    ]);
    expect(shares.meanMs).to.equal(20);
    expect(shareText(shares)).to.equal('retrieve 75 %, score 4 %');
  });

  it('reject an answer without the header', () => {
    expect(() => parseServerTiming('')).to.throw('no Server-Timing');
  });
});
