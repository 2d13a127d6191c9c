import { expect } from 'chai';
import { createTermText, joinTerms } from '../../../../../query-api/recall/score/term-text.js';
import { analyze } from '../../../../../shared/text/analyzer.js';

describe('term text', () => {
  it('has a blank before and after each term', () => {
    expect(createTermText()('Our Redis caches')).to.equal(joinTerms(analyze('Our Redis caches')));
    expect(joinTerms(['a', 'b'])).to.equal(' a b ');
  });

  it('is the same for a new, a cached and an evicted text', () => {
    const texts = [
      'Redis caches',
      'Connection pools',
      'Redis caches',
      'Session tokens',
      'Redis caches',
      'Connection pools',
    ];
    for (const limit of [0, 30, 10_000]) {
      const termText = createTermText(limit);
      expect(texts.map(termText)).to.deep.equal(texts.map((text) => joinTerms(analyze(text))));
    }
  });
});
