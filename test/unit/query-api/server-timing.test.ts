import { expect } from 'chai';
import { parseServerTiming, sharesOf, shareText } from '../../bench/server-timing.js';

describe('the shares of the stages', () => {
  it('are those of the time of all answers', () => {
    const shares = sharesOf([
      parseServerTiming('retrieve;dur=6, score;dur=1.5, total;dur=10'),
      parseServerTiming('retrieve;dur=24, total;dur=30'),
    ]);
    expect(shares.meanMs).to.equal(20);
    expect(shareText(shares)).to.equal('retrieve 75 %, score 4 %');
  });

  it('are not made up for an answer without the header', () => {
    expect(() => parseServerTiming('')).to.throw('no Server-Timing');
  });
});
