import { expect } from 'chai';
import type { MemoryFilter } from '../../../../../../../shared/contract/filter.js';
import { pointsOf, weigh } from '../../../../../../../shared/engines/sqlite/graph/searching/words/weigh.js';
import {
  createWordIndex,
  type WordIndex,
  type Words,
} from '../../../../../../../shared/engines/sqlite/graph/searching/words/word-index.js';
import { type IndexedWords, referenceWeights } from '../../../../../../support/checks/reference-bm25.js';
import { numberedId } from '../../../../../../support/fixtures/events.js';
import { type Random, seededRandom } from '../../../../../../support/fixtures/random.js';

const VOCABULARY = Array.from(
  { length: 60 },
  (_, index) => `word${index}${index % 7 === 0 ? '-with-a-long-tail' : ''}`,
);
const MEMORIES = 200;
const CHANGES = 4_000;

describe('word index', () => {
  it('weighs like a plain scan after any change, with and without compaction', () => {
    for (const deadLimit of [0, 20, CHANGES]) {
      const random = seededRandom(3);
      const index = createWordIndex(deadLimit);
      const plain = new Map<number, IndexedWords>();
      for (let change = 1; change <= CHANGES; change += 1) {
        show({ index, plain }, row({ change, n: 1 + random.below(MEMORIES), ...someWords(random) }));
        if (change % 500 === 0) expectAlike(index, plain, random);
      }
      expect(index.change()).to.equal(CHANGES);
      expect(plain.size).to.be.within(MEMORIES / 2, MEMORIES);
    }
  });

  it('compacts when most slots are dead', () => {
    const index = createWordIndex(10);
    for (let change = 1; change <= 1_000; change += 1)
      index.apply(row({ change, n: 1 + (change % 5), content: `text ${change}`, tags: '' }));
    expect(index.rows().length).to.be.below(5 + 10 + 1);
    expect([...index.rows()].filter((n) => n !== 0).sort()).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('finds no word of a deleted memory', () => {
    const index = createWordIndex();
    index.apply(row({ change: 1, n: 1, content: 'secret', tags: 'hidden' }));
    index.apply(row({ change: 2, n: 1, content: '', tags: '' }));
    expect([...weigh(index, ['secret', 'hidden'])]).to.deep.equal([0]);
    expect(index.slotOfRow(1)).to.equal(undefined);
    expect(index.content().size()).to.deep.equal({ slots: 0, averageLength: 0 });
  });

  it('accepts the deletion of an unknown memory, and reports change 0 at first', () => {
    const index = createWordIndex();
    index.apply(row({ change: 5, n: 9, content: '', tags: '' }));
    expect(index.change()).to.equal(5);
    expect([...weigh(index, ['anything'])]).to.deep.equal([]);
  });

  it('keeps the slot of a memory whose words are the same', () => {
    const index = createWordIndex();
    index.apply(row({ change: 1, n: 1, content: 'same words', tags: '' }));
    index.apply(row({ change: 2, n: 1, content: 'same words', tags: '', words_change: 1, importance: 0.9 }));
    expect([...index.rows()]).to.deep.equal([1]);
    expect(index.features().hitAt(0).importance).to.equal(0.9);
    index.apply(row({ change: 3, n: 1, content: 'other words', tags: '' }));
    expect([...index.rows()]).to.deep.equal([0, 1]);
  });

  it('filters by state, time and type, also after a compaction', () => {
    for (const deadLimit of [0, 100]) {
      const index = createWordIndex(deadLimit);
      const rows = [
        row({ change: 1, n: 1 }),
        row({ change: 2, n: 2, archived: 1 }),
        row({ change: 3, n: 3, t_invalid: day(2) }),
        row({ change: 4, n: 4, t_valid: day(4) }),
        row({ change: 5, n: 5, type: 'Habit' }),
        row({ change: 6, n: 6, timestamp: day(9) }),
      ];
      for (const each of rows) index.apply({ ...each, content: 'before' });
      for (const each of rows) index.apply({ ...each, change: each.change + 10, words_change: 0 });
      const admitted = (filter: Partial<MemoryFilter>): readonly number[] => {
        const matches = index.features().matcher({ ...EVERYTHING, ...filter });
        return [...index.rows()].filter((n, slot) => n !== 0 && matches(slot)).sort();
      };
      expect(admitted({})).to.deep.equal([1, 5, 6]);
      expect(admitted({ state: 'lapsed' })).to.deep.equal([2, 3, 4]);
      expect(admitted({ state: 'unarchived' })).to.deep.equal([1, 3, 4, 5, 6]);
      expect(admitted({ excludedTypes: ['Habit'] })).to.deep.equal([1, 6]);
      expect(admitted({ start: day(8) })).to.deep.equal([6]);
      expect(admitted({ end: day(8) })).to.deep.equal([1, 5]);
      expect(admitted({ now: day(5), state: 'lapsed' })).to.deep.equal([2, 3]);
    }
  });
});

function day(number: number): string {
  return `2024-06-0${number}T00:00:00.000000+00:00`;
}

const EVERYTHING: MemoryFilter = {
  tags: null,
  within: null,
  excludeTags: [],
  start: null,
  end: null,
  excludedTypes: [],
  state: 'current',
  now: day(3),
};

function row(given: Pick<Words, 'change' | 'n'> & Partial<Words>): Words {
  const id = numberedId(given.n);
  return {
    content: 'text',
    tags: '',
    words_change: 0,
    id,
    type: 'Context',
    importance: 0.5,
    timestamp: day(1),
    archived: 0,
    t_valid: null,
    t_invalid: null,
    ...given,
  };
}

type Both = { readonly index: WordIndex; readonly plain: Map<number, IndexedWords> };

function show({ index, plain }: Both, words: Words): void {
  index.apply(words);
  if (words.content === '' && words.tags === '') plain.delete(words.n);
  else plain.set(words.n, words);
}

/** One change in five deletes a memory. */
function someWords(random: Random): IndexedWords {
  if (random.below(5) === 0) return { content: '', tags: '' };
  const text = (most: number): string =>
    Array.from(
      { length: random.below(most) },
      () => VOCABULARY[Math.floor(VOCABULARY.length * random.next() ** 2)],
    ).join(' ');
  return { content: text(20), tags: text(6) };
}

function expectAlike(index: WordIndex, plain: ReadonlyMap<number, IndexedWords>, random: Random): void {
  const terms = [...new Set([random.pick(VOCABULARY), random.pick(VOCABULARY), VOCABULARY[0] ?? '', 'absent'])];
  const weights = weigh(index, terms);
  const points = pointsOf(index, terms);
  const expected = referenceWeights(plain, terms);
  for (const [n, { content, tags }] of plain) {
    const slot = index.slotOfRow(n) ?? -1;
    expect(index.rows()[slot]).to.equal(n);
    expect(weights[slot]).to.be.closeTo(expected.get(n) ?? 0, 1e-9);
    expect(points(slot)).to.deep.equal(
      terms.map((term) => (content.split(' ').includes(term) ? 2 : tags.split(' ').includes(term) ? 1 : 0)),
    );
  }
  expect(weights.filter((weight) => weight > 0)).to.have.length(expected.size);
}
