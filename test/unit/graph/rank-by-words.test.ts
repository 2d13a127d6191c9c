import { expect } from 'chai';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import {
  hitsFor,
  rankByWords,
  RANKED_HITS,
  RANKED_HITS_OF_PART,
  SPARE_HITS,
  type WordHit,
} from '../../../shared/text/rank-by-words.js';
import { day, memory, memoryId } from '../../support/fixtures/memories.js';
import { seededRandom } from '../../support/fixtures/random.js';

const ALL: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: ['private'],
  start: null,
  end: null,
  excludedTypes: ['MetaPattern'],
  state: 'current',
  now: day(15),
};

describe('hitsFor', () => {
  it('selects more hits under a filter that may admit a small part of all memories', () => {
    for (const part of [
      { tags: { values: ['project'], mode: 'any', match: 'prefix' } },
      { start: day(1) },
      { end: day(2) },
      { state: 'lapsed' },
    ] as const)
      expect(hitsFor({ filter: { ...ALL, ...part }, limit: 5 }), JSON.stringify(part)).to.equal(RANKED_HITS_OF_PART);
    expect(hitsFor({ filter: ALL, limit: 5 })).to.equal(RANKED_HITS);
  });

  it('exceeds a larger limit by the spare hits', () => {
    expect(hitsFor({ filter: ALL, limit: 5_000 })).to.equal(5_000 + SPARE_HITS);
  });
});

describe('rankByWords', () => {
  const hit = (number: number, points: readonly number[], overrides: Partial<WordHit> = {}): WordHit => {
    const { id, importance, timestamp } = memory(number, { importance: 0.5, timestamp: day(1) });
    return { id, importance, timestamp, points, ...overrides };
  };
  const common = Array.from({ length: 20 }, (_, index) => hit(100 + index, [2, 0, 0]));

  it('ranks one rare term above two common ones', () => {
    const both = Array.from({ length: 20 }, (_, index) => hit(200 + index, [2, 2, 0]));
    expect(rankByWords([...both, hit(1, [0, 0, 2])], 2)).to.deep.equal([memoryId(1), memoryId(200)]);
  });

  it('weighs a term in the content twice as much as in a tag', () => {
    expect(rankByWords([hit(1, [0, 1, 0]), hit(2, [0, 2, 0]), ...common], 2)).to.deep.equal([memoryId(2), memoryId(1)]);
  });

  it('orders equals by importance, then newest timestamp, then smallest id', () => {
    const hits = [hit(4, [2]), hit(3, [2]), hit(2, [2], { timestamp: day(2) }), hit(1, [2], { importance: 0.6 })];
    expect(rankByWords(hits, 4)).to.deep.equal([1, 2, 3, 4].map(memoryId));
  });

  it('ignores the order in which an engine returns the hits', () => {
    const random = seededRandom(11);
    const hits = Array.from({ length: 300 }, (_, index) =>
      hit(
        index,
        [0, 1, 2, 3].map(() => random.below(3)),
        { importance: random.below(4) / 4 },
      ),
    );
    const shuffled = [...hits]
      .map((each) => ({ each, key: random.next() }))
      .sort((one, other) => one.key - other.key)
      .map(({ each }) => each);
    expect(rankByWords(shuffled, 100)).to.deep.equal(rankByWords(hits, 100));
  });

  it('returns the beginning of the same order for a smaller limit', () => {
    expect(hitsFor({ filter: ALL, limit: 5 })).to.equal(hitsFor({ filter: ALL, limit: RANKED_HITS - SPARE_HITS }));
    expect(rankByWords(common, 5)).to.deep.equal(rankByWords(common, 20).slice(0, 5));
  });

  it('returns nothing without hits', () => {
    expect(rankByWords([], 10)).to.deep.equal([]);
  });
});
