import { expect } from 'chai';
import { findSimilarPairs, ratePairs } from '../../../shared/entities/merge-candidates.js';
import { mergeKey } from '../../../shared/entities/rename-entities.js';

type NamedEntity = { readonly category: string; readonly slug: string; readonly memories: ReadonlySet<string> };

const entity = (slug: string, memories: string, category = 'people'): NamedEntity => ({
  category,
  slug,
  memories: new Set(memories),
});
const found = (...entities: readonly NamedEntity[]) =>
  ratePairs(findSimilarPairs(entities), new Map(entities.map((one) => [mergeKey(one), one.memories]))).map(
    ({ canonical, alias, confidence, isCertain }) => [canonical.slug, alias.slug, confidence, isCertain],
  );

describe('merge candidates', () => {
  it('are certain when one slug contains the other and most memories are shared', () => {
    expect(found(entity('ann', 'abc'), entity('ann-lee', 'abcd'))).to.deep.equal([['ann-lee', 'ann', 0.84, true]]);
    expect(found(entity('ann', 'abc'), entity('ann-lee', 'axyz'))).to.deep.equal([]);
  });

  it('are for review when the slugs are similar and memories are shared', () => {
    expect(found(entity('jon-smith', 'ab'), entity('john-smith', 'ab'))).to.deep.equal([
      ['john-smith', 'jon-smith', 0.96, false],
    ]);
    expect(found(entity('jon-smith', 'ab'), entity('john-smith', 'cd'))).to.deep.equal([]);
  });

  it('are for review when several longer names contain a single word', () => {
    const candidates = found(entity('ann', 'ab'), entity('ann-lee', 'ab'), entity('ann-poe', 'cd'));
    expect(candidates).to.deep.equal([
      ['ann-lee', 'ann', 0.84, false],
      ['ann-poe', 'ann', 0.24, false],
    ]);
  });

  it('have one category', () => {
    expect(found(entity('ann', 'ab'), entity('ann-lee', 'ab', 'tools'))).to.deep.equal([]);
  });

  it('leave out slugs that differ too much', () => {
    expect(found(entity('ann-lee', 'ab'), entity('lee-marvin-junior', 'ab'))).to.deep.equal([]);
  });

  it('compare no more pairs where many share a word', () => {
    const many = Array.from({ length: 51 }, (_, number) => entity(`${number}x-common`, 'ab', 'tools'));
    expect(found(...many)).to.deep.equal([]);
    expect(found(...many.slice(1)).length).to.be.above(100);
  });
});
