import { expect } from 'chai';
import { contextProfile } from '../../../../../query-api/recall/plan/context-profile.js';
import { isNamed, priorityFirst } from '../../../../../query-api/recall/select/select-results.js';
import { memoryOf, numberedId, replacedOf } from '../memories.js';

const naming = (...numbers: readonly number[]) => contextProfile({ priority_ids: numbers.map(numberedId) }, null);
const ranked = (number: number, overrides: { replaces?: number; dedupedFrom?: readonly number[] } = {}) => ({
  memory: memoryOf(number),
  replaces: overrides.replaces === undefined ? null : replacedOf(memoryOf(overrides.replaces)),
  dedupedFrom: (overrides.dedupedFrom ?? []).map(numberedId),
});
const numbers = (results: readonly ReturnType<typeof ranked>[]): readonly number[] =>
  results.map(({ memory }) => Number(memory.id.slice(-12)));

describe('named memories', () => {
  const results = [ranked(1), ranked(2), ranked(3), ranked(4)];

  it('are recognised by their own id, a replaced or a merged memory', () => {
    const all = [...results, ranked(5, { replaces: 9 }), ranked(6, { dedupedFrom: [6, 8] })];
    const named = (profile: ReturnType<typeof naming>) => numbers(all.filter((each) => isNamed(each, profile)));
    expect(named(naming(4, 9, 8))).to.deep.equal([4, 5, 6]);
    expect(named(null)).to.deep.equal([]);
  });

  it('come first in the order of the request', () => {
    expect(numbers(priorityFirst(results, naming(4, 9, 2)))).to.deep.equal([4, 2, 1, 3]);
  });

  it('leave the order unchanged when the request names none', () => {
    expect(priorityFirst(results, null)).to.equal(results);
    expect(numbers(priorityFirst(results, contextProfile({ context: 'x' }, null)))).to.deep.equal([1, 2, 3, 4]);
  });

  it('give their position to a replacement or a merged memory', () => {
    expect(
      numbers(priorityFirst([ranked(1), ranked(2, { replaces: 8 }), ranked(3, { dedupedFrom: [3, 7] })], naming(7, 8))),
    ).to.deep.equal([3, 2, 1]);
  });
});
