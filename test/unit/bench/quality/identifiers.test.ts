import { expect } from 'chai';
import { identifierLines, type RankedIdentifier } from '../../../bench/quality/identifiers.js';

describe('the lines of the identifiers', () => {
  it('count the first place and the first three, and show each miss', () => {
    const found: RankedIdentifier = { form: 'bare', query: 'PAY-1', rank: 1, firstContent: 'PAY-1 is paid' };
    const ranked: readonly RankedIdentifier[] = [
      found,
      { ...found, form: 'in a sentence', query: 'why PAY-1', rank: 2, firstContent: 'why not' },
      { ...found, query: 'PAY-2', rank: null },
    ];
    expect(identifierLines(ranked, 5_900)).to.deep.equal([
      'identifiers among 5900 generated memories',
      '  bare: 1 of 2 in the first place, 1 in the first 3',
      '  in a sentence: 0 of 1 in the first place, 1 in the first 3',
      '  why PAY-1: place 2, first is "why not"',
      '  PAY-2: place after 3, first is "PAY-1 is paid"',
    ]);
  });
});
