import { expect } from 'chai';
import { containsPhrase, createTermText } from '../../../../../query-api/recall/score/term-text.js';
import { analyze } from '../../../../../shared/text/analyzer.js';

describe('term text', () => {
  it('counts the terms and joins them with blanks', () => {
    const { counts, length, joined } = createTermText()('Our Redis caches feed other caches');
    expect([...counts]).to.deep.equal([
      ['redi', 1],
      ['cach', 2],
      ['feed', 1],
    ]);
    expect([length, joined]).to.deep.equal([4, ` ${analyze('Our Redis caches feed other caches').join(' ')} `]);
  });

  it('finds a phrase in the order of its terms', () => {
    const text = createTermText()('Redis caches session tokens');
    expect(containsPhrase(text, ['cach', 'session'])).to.equal(true);
    expect(containsPhrase(text, ['session', 'cach'])).to.equal(false);
    expect(containsPhrase(text, ['cach', 'token'])).to.equal(false);
    expect(containsPhrase(text, ['token'])).to.equal(true);
  });

  it('is the same for a new, a cached and an evicted text', () => {
    const texts = ['Redis caches', 'Connection pools', 'Redis caches', 'Session tokens', 'Redis caches'];
    for (const limit of [1, 200, 10_000]) {
      const termText = createTermText(limit);
      expect(texts.map((text) => termText(text).joined)).to.deep.equal(
        texts.map((text) => ` ${analyze(text).join(' ')} `),
      );
    }
  });
});
