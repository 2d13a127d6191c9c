import { expect } from 'chai';
import { sourceKeyOf } from '../../../../../query-api/recall/plan/source-key.js';
import { withSourcePieces } from '../../../../../query-api/recall/select/distinct-sources.js';
import { distinctResults } from '../../../../../query-api/recall/select/near-duplicates.js';
import type { SelectedResult } from '../../../../../query-api/recall/select/select-results.js';
import { memoryOf, numberedId } from '../memories.js';
import { numbersOf, resultOf } from '../results.js';

const keyOf = ({ memory }: Pick<SelectedResult, 'memory'>) => sourceKeyOf(memory, 'source_id');
const pieceOf = (source: unknown, number: number, score: number, content = `Memory number ${number}`) =>
  resultOf(number, score, { content, metadata: { source_id: source } });

describe('the source of a memory', () => {
  const values: readonly (readonly [title: string, value: unknown, key: string | number | null])[] = [
    ['a text', 'doc-1', 'doc-1'],
    ['a number', 7, 7],
    ['zero', 0, 0],
    ['a blank text', '  ', null],
    ['an infinite number', Infinity, null],
    ['a number that is none', NaN, null],
    ['a flag', true, null],
    ['a list', ['doc-1'], null],
    ['null', null, null],
    ['an absent field', undefined, null],
  ];
  for (const [title, value, key] of values) {
    it(`for ${title} is ${JSON.stringify(key)}`, () => {
      expect(sourceKeyOf(memoryOf(1, { metadata: { source_id: value } }), 'source_id')).to.equal(key);
    });
  }

  it('is null without a field and for a property of every object', () => {
    const memory = memoryOf(1, { metadata: { source_id: 'doc-1' } });
    expect(sourceKeyOf(memory, null)).to.equal(null);
    for (const field of ['constructor', '__proto__', 'toString']) expect(sourceKeyOf(memory, field)).to.equal(null);
  });
});

describe('distinct results', () => {
  it('have one place for each source and one for each memory without a source', () => {
    const ordered = [
      pieceOf('a', 1, 0.9),
      pieceOf('a', 2, 0.8),
      resultOf(3, 0.7),
      pieceOf('b', 4, 0.6),
      resultOf(5, 0.5),
    ];
    expect(numbersOf(distinctResults(ordered, 3, keyOf))).to.deep.equal([1, 3, 4]);
    expect(numbersOf(distinctResults(ordered, 10, keyOf))).to.deep.equal([1, 3, 4, 5]);
    expect(numbersOf(distinctResults(ordered, 10))).to.deep.equal([1, 2, 3, 4, 5]);
  });

  it('keep a text and an equal number apart', () => {
    expect(numbersOf(distinctResults([pieceOf('7', 1, 0.9), pieceOf(7, 2, 0.8)], 10, keyOf))).to.deep.equal([1, 2]);
  });

  it("give a source's place to its next piece if its best is a near duplicate", () => {
    const text = 'the gardener waters all plants of the green house every second evening';
    const ordered = [pieceOf('a', 1, 0.9, text), pieceOf('b', 2, 0.8, `${text} again`), pieceOf('b', 3, 0.7)];
    const results = distinctResults(ordered, 10, keyOf);
    expect(numbersOf(results)).to.deep.equal([1, 3]);
    expect(results[0]?.dedupedFrom).to.deep.equal([numberedId(1), numberedId(2)]);
  });

  it('compare no text with a piece that has no place', () => {
    const text = 'the gardener waters all plants of the green house every second evening';
    const ordered = [pieceOf('a', 1, 0.9), pieceOf('a', 2, 0.8, text), pieceOf('b', 3, 0.7, `${text} again`)];
    expect(numbersOf(distinctResults(ordered, 10, keyOf))).to.deep.equal([1, 3]);
  });
});

describe('source pieces', () => {
  const piecesOf = (results: readonly (SelectedResult & { sourcePieces?: readonly SelectedResult[] })[]) =>
    results.map(({ sourcePieces }) => sourcePieces && numbersOf(sourcePieces));

  it('are the candidates of the same source without a place, in their order', () => {
    const ordered = [
      pieceOf('a', 1, 0.9),
      pieceOf('b', 2, 0.8),
      pieceOf('a', 4, 0.7),
      pieceOf('c', 5, 0.6),
      pieceOf('a', 3, 0.5),
    ];
    expect(piecesOf(withSourcePieces(ordered.slice(0, 2), ordered, keyOf))).to.deep.equal([[4, 3], undefined]);
  });

  it('leave out near duplicates of a result', () => {
    const first = { ...pieceOf('a', 1, 0.9), dedupedFrom: [numberedId(1), numberedId(2)] };
    const ordered = [first, pieceOf('a', 2, 0.8), pieceOf('a', 3, 0.7)];
    expect(piecesOf(withSourcePieces([first], ordered, keyOf))).to.deep.equal([[3]]);
  });

  it('leave results without a source unchanged', () => {
    const ordered = [resultOf(1, 0.9), resultOf(2, 0.8)];
    expect(withSourcePieces(ordered, ordered, keyOf)).to.equal(ordered);
    const mixed = [pieceOf('a', 3, 0.9), resultOf(1, 0.8)];
    expect(withSourcePieces(mixed, [...mixed, ...ordered], keyOf)).to.deep.equal(mixed);
  });
});
