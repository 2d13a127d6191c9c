import { expect } from 'chai';
import fc from 'fast-check';
import { keywordMatches } from '../../../../../query-api/recall/score/keyword-match.js';
import { createTermText } from '../../../../../query-api/recall/score/term-text.js';
import { queryTerms } from '../../../../../shared/text/analyzer.js';
import { memoryOf } from '../memories.js';

function matches(
  query: string,
  ...contents: readonly (string | { content: string; tags: string[] })[]
): readonly number[] {
  const pool = contents.map((given, index) =>
    memoryOf(index + 1, typeof given === 'string' ? { content: given } : given),
  );
  return keywordMatches(queryTerms(query), pool, createTermText());
}

describe('keyword match', () => {
  it('is 1 for the whole phrase and 0 without a common term', () => {
    const [whole, none] = matches('redis cache', 'Our Redis cache layer', 'Nothing of that kind');
    expect(whole).to.be.closeTo(1, 1e-12);
    expect(none).to.equal(0);
  });

  it('is higher for the phrase than for separate words, and lower for one word', () => {
    const [phrase = 0, apart = 0, single = 0] = matches(
      'connection pool',
      'the connection pool',
      'a pool for each connection',
      'a swimming pool',
    );
    expect(phrase).to.be.greaterThan(apart);
    expect(apart).to.be.greaterThan(single);
  });

  it('counts a word in a tag half as much as in the content', () => {
    const [content = 0, tag = 0] = matches('pgbouncer', 'pgbouncer', {
      content: 'something',
      tags: ['tool:pgbouncer'],
    });
    expect(content).to.equal(1);
    expect(tag).to.equal(0.5);
  });

  it('counts a rare word more than a common one', () => {
    const [rare = 0, common = 0] = matches(
      'caroline pottery',
      'her pottery class',
      'caroline called',
      'caroline wrote',
      'caroline left',
    );
    expect(rare).to.be.greaterThan(common);
  });

  it('does not match a part of a word', () => {
    expect(matches('art', 'the start of it')).to.deep.equal([0]);
  });

  it('is lower when no memory contains one of the words', () => {
    const [found = 0] = matches('redis unheard', 'redis');
    expect(found).to.be.within(0.2, 0.8);
  });

  it('is between 0 and 1 for any pool', () => {
    const word = fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'omega');
    const text = fc.array(word, { minLength: 1, maxLength: 8 }).map((words) => words.join(' '));
    fc.assert(
      fc.property(text, fc.array(text, { minLength: 1, maxLength: 12 }), (query, contents) => {
        for (const match of matches(query, ...contents)) expect(match).to.be.within(0, 1 + 1e-12);
      }),
      { seed: 7 },
    );
  });
});
