import { expect } from 'chai';
import { pointsOf, weigh } from '../../../../../../shared/graph/sqlite/searching/words/weigh.js';
import {
  createWordIndex,
  type WordIndex,
  type Words,
} from '../../../../../../shared/graph/sqlite/searching/words/word-index.js';
import { type IndexedWords, referenceWeights } from '../../../../../support/checks/reference-bm25.js';
import { type Random, seededRandom } from '../../../../../support/fixtures/random.js';

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
        show({ index, plain }, { change, n: 1 + random.below(MEMORIES), ...someWords(random) });
        if (change % 500 === 0) expectAlike(index, plain, random);
      }
      expect(index.change()).to.equal(CHANGES);
      expect(plain.size).to.be.within(MEMORIES / 2, MEMORIES);
    }
  });

  it('compacts when most slots are dead', () => {
    const index = createWordIndex(10);
    for (let change = 1; change <= 1_000; change += 1)
      index.apply({ change, n: 1 + (change % 5), content: `text ${change}`, tags: '' });
    expect(index.rows().length).to.be.below(5 + 10 + 1);
    expect([...index.rows()].filter((n) => n !== 0).sort()).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('finds no word of a deleted memory', () => {
    const index = createWordIndex();
    index.apply({ change: 1, n: 1, content: 'secret', tags: 'hidden' });
    index.apply({ change: 2, n: 1, content: '', tags: '' });
    expect([...weigh(index, ['secret', 'hidden'])]).to.deep.equal([0]);
    expect(index.slotOfRow(1)).to.equal(undefined);
    expect(index.content().size()).to.deep.equal({ slots: 0, averageLength: 0 });
  });

  it('accepts the deletion of an unknown memory, and reports change 0 at first', () => {
    const index = createWordIndex();
    index.apply({ change: 5, n: 9, content: '', tags: '' });
    expect(index.change()).to.equal(5);
    expect([...weigh(index, ['anything'])]).to.deep.equal([]);
  });
});

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
