import { expect } from 'chai';
import { PLAIN_RANKERS } from '../../../bench/quality/plain-rankers.js';

const corpus = {
  terms: [
    ['red', 'fox'],
    ['red', 'hen', 'barn'],
    ['blue', 'hen'],
  ],
  vectors: [Float32Array.of(1, 0), Float32Array.of(0, 1), Float32Array.of(0.8, 0.6)],
};
const ranked = (name: string, terms: readonly string[], vector: readonly number[]) =>
  PLAIN_RANKERS[name]?.(corpus, { terms, vector: Float32Array.from(vector) });

describe('plain rankers', () => {
  it('rank by words, with rare words and short texts first', () => {
    expect(ranked('BM25 alone', ['red', 'fox'], [0, 0])).to.deep.equal([0, 1, 2]);
    expect(ranked('BM25 alone', ['hen'], [0, 0])).to.deep.equal([2, 1, 0]);
  });

  it('rank by vectors', () => {
    expect(ranked('vectors alone', ['red'], [0, 1])).to.deep.equal([1, 2, 0]);
  });

  it('fuse words and vectors', () => {
    for (const name of ['rank fusion', 'linear fusion'])
      expect(ranked(name, ['blue'], [1, 0])?.at(-1), name).to.equal(1);
    expect(ranked('linear fusion', ['blue'], [1, 0])).to.deep.equal([2, 0, 1]);
  });
});
