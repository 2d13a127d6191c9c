import { expect } from 'chai';
import { readWithin, tokenLines } from '../../../../bench/mcp/tokens/figures.js';

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

  it('have one row for each format', () => {
    const one = { format: 'text', textTokens: 100, structuredTokens: 50, read: [0, 0.5, 1] };
    expect(
      tokenLines([one, { ...one, textTokens: 300, read: [1, 1, 1] }, { ...one, format: 'json' }]).map((line) =>
        line.trim().split(/\s{2,}/u),
      ),
    ).to.deep.equal([
      ['format', 'recalls', 'text mean', 'text p95', 'both mean', 'both p95', 'read@2000', 'read@4000', 'read@all'],
      ['text', '2', '200', '300', '250', '350', '50.0', '75.0', '100.0'],
      ['json', '1', '100', '100', '150', '150', '0.0', '50.0', '100.0'],
    ]);
  });
});
