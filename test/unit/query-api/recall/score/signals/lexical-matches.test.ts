import { expect } from 'chai';
import { lexicalMatches } from '../../../../../../query-api/recall/score/signals/lexical-matches.js';
import { createTermText } from '../../../../../../query-api/recall/score/term-text.js';

function matches(terms: readonly string[], ...contents: readonly string[]): readonly number[] {
  return lexicalMatches(
    terms,
    contents.map((content) => ({ content })),
    createTermText(),
  );
}

describe('lexicalMatches', () => {
  it('gives 1 to the best memory of the pool and 0 to one without any term', () => {
    const [best, other, none] = matches(['violin', 'lesson'], 'violin lesson', 'violin', 'garden');
    expect(best).to.equal(1);
    expect(other).to.be.within(0.1, 0.9);
    expect(none).to.equal(0);
  });

  it('prefers the shorter of two memories with the same terms', () => {
    const [short = 0, long = 0] = matches(['violin'], 'violin spring', `violin ${'spring garden '.repeat(40)}`, 'tea');
    expect(short).to.be.greaterThan(2 * long);
  });

  it('counts a term that follows itself each time', () => {
    const [twice = 0, once = 0] = matches(['violin'], 'violin violin', 'violin garden', 'tea');
    expect(twice).to.be.greaterThan(once);
  });

  it('gives zeros without terms and for an empty pool', () => {
    expect(matches([], 'violin')).to.deep.equal([0]);
    expect(matches(['violin'])).to.deep.equal([]);
  });
});
