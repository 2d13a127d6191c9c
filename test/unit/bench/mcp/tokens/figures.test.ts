import { expect } from 'chai';
import { readWithin } from '../../../../bench/mcp/tokens/figures.js';

describe('token figures', () => {
  const sought = [
    { id: 'id-1', words: 'Ada said "yes"' },
    { id: 'id-2', words: 'Ben left' },
  ];

  it('count evidence whose id and words are within the depth', () => {
    const late = `${'x'.repeat(5_001)}Ben left id-2`;
    expect(readWithin(`Ada said \\"yes\\" id-1 ${late}`, sought)).to.deep.equal([0.5, 1, 1]);
    expect(readWithin('id-1 and its neighbour', sought)).to.deep.equal([0, 0, 0]);
    expect(readWithin(`${'x'.repeat(4_987)}Ben left id-2`, sought)).to.deep.equal([0.5, 0.5, 0.5]);
    expect(readWithin(`${'x'.repeat(4_988)}Ben left id-2`, sought)).to.deep.equal([0, 0.5, 0.5]);
  });
});
