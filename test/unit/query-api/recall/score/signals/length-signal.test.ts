import { expect } from 'chai';
import { verbositySignal } from '../../../../../../query-api/recall/score/signals/signals.js';

describe('the length signal', () => {
  it('rises from 300 to 2,000 characters', () => {
    const texts = [0, 300, 1_150, 2_000, 9_000].map((length) => 'a'.repeat(length));
    expect(texts.map(verbositySignal)).to.deep.equal([0, 0, 0.5, 1, 1]);
  });
});
