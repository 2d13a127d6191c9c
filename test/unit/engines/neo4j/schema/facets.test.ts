import { expect } from 'chai';
import { excludedPrefixes, facetsOf, tagFacets } from '../../../../../shared/engines/neo4j/schema/facets.js';
import { memory } from '../../../../support/fixtures/memories.js';

/** The longest word in UTF-16 units; the index cuts longer ones. */
const LONGEST_WORD = 255;

describe('Neo4j memory facets', () => {
  const wordsOf = (...tags: string[]): readonly string[] =>
    facetsOf(memory(1, { tags }))
      .split(' ')
      .filter((word) => word !== '');

  it('are whole tags, cumulative tag prefixes, type and archived state', () => {
    expect(wordsOf('A/b')).to.have.members(['whole=a/b$', 'prefix=a$', 'prefix=a:b$', 'type=Context$']);
    expect(facetsOf(memory(1, { archived: true }))).to.contain(' archived$ ');
  });

  it('have a blank on both sides and none inside', () => {
    const facets = facetsOf(memory(1, { tags: ['eu west', 'no\u00a0break', 'wide\u3000one', '50%', 'sep\u001fhere'] }));
    expect(facets).to.match(/^ (?:\S+ )+$/u);
    expect(facets).to.contain(' whole=eu%20.west$ ').and.contain(' whole=50%25.$ ');
  });

  it('fit the word limit of the index for any tag', () => {
    for (const sign of ['x', '🦉', ' x', '\u3000y']) {
      const words = wordsOf(sign.repeat(256).trim());
      expect(Math.max(...words.map((word) => word.length)), sign).to.be.at.most(LONGEST_WORD);
    }
  });

  it('match their value and its prefixes, and no other text', () => {
    const long = 'long '.repeat(50);
    const facets = facetsOf(memory(1, { tags: ['project/foo', long] }));
    const has = (value: string, match: 'exact' | 'prefix'): boolean =>
      tagFacets({ values: [value], mode: 'any', match }).some((facet) => facets.includes(` ${facet} `));
    const isExcluded = (value: string): boolean =>
      excludedPrefixes({ excludeTags: [value] }).some((prefix) => facets.includes(` ${prefix}`));
    expect([
      has('PROJECT/foo', 'exact'),
      has('project:foo', 'prefix'),
      has('project', 'prefix'),
      has(long, 'exact'),
    ]).to.deep.equal([true, true, true, true]);
    expect([
      has('project', 'exact'),
      has('project:fo', 'prefix'),
      has('::', 'prefix'),
      has(long.slice(0, 100), 'exact'),
    ]).to.deep.equal([false, false, false, false]);
    for (const prefix of ['pro', 'project/f', 'project:f', 'LONG', long.slice(0, 99), long.slice(0, 101), long])
      expect(isExcluded(prefix), prefix).to.equal(true);
    for (const other of ['roject', 'project/x', `${long}x`, `${long.slice(0, 120)}x`])
      expect(isExcluded(other), other).to.equal(false);
  });
});
