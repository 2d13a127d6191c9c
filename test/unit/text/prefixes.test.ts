import { expect } from 'chai';
import { createBeginsWithAny, shortestPrefixes } from '../../../shared/text/prefixes.js';
import { seededRandom } from '../../support/fixtures/random.js';

describe('shortestPrefixes', () => {
  it('are distinct, ascending, and none begins with another', () => {
    expect(shortestPrefixes(['deploy', 'b', 'dep', '', 'b', 'ba', 'a:'])).to.deep.equal(['a:', 'b', 'dep']);
    expect(shortestPrefixes([])).to.deep.equal([]);
  });
});

describe('createBeginsWithAny', () => {
  it('finds the beginning of a text as a comparison with every value does', () => {
    const { below, pick } = seededRandom(3);
    const text = (most: number): string =>
      Array.from({ length: below(most) }, () => pick(['a', 'b', ':', '\uffee', '\u{1F9A6}'])).join('');
    for (let round = 0; round < 300; round += 1) {
      const values = Array.from({ length: below(12) }, () => text(4)).filter((value) => value !== '');
      const beginsWithAny = createBeginsWithAny(values);
      for (let index = 0; index < 30; index += 1) {
        const one = text(7);
        expect(beginsWithAny(one), JSON.stringify([values, one])).to.equal(
          values.some((value) => one.startsWith(value)),
        );
      }
    }
  });
});
