import { expect } from 'chai';
import {
  fitOn,
  type FitQuestion,
  foldOf,
  FOLDS,
  rankedBy,
  rankedByService,
  weightsByFold,
} from '../../../bench/fit/cross-validate.js';

/** The evidence has the feature `good`, and another result has the other one. */
const question = (conversation: number, good: number): FitQuestion => ({
  category: 'any',
  evidence: ['right'],
  conversation,
  results: [
    { source: 'wrong', features: [1 - good, good] },
    { source: 'right', features: [good, 1 - good] },
  ],
});

describe('cross-validation by conversation', () => {
  it('assigns the conversations to four folds in turn', () => {
    expect([0, 1, 2, 3, 4, 5].map((conversation) => foldOf({ conversation }))).to.deep.equal([0, 1, 2, 3, 0, 1]);
  });

  it('fits the weights of a fold without its conversations', () => {
    const usual = [0, 1, 2, 3, 4].map((conversation) => question(conversation, 1));
    const reversed = question(2, 0);
    const byFold = weightsByFold([[...usual, reversed]], 2);
    expect(byFold).to.have.length(FOLDS);
    expect(byFold[2]).to.deep.equal(fitOn([usual.filter(({ conversation }) => conversation !== 2)], 2));
    expect(byFold[1]?.[0]).to.be.below(byFold[2]?.[0] ?? 0);
  });

  it('ranks each source by its best result', () => {
    const results = [0.1, 0.5, 0.9].map((feature) => ({
      source: feature === 0.5 ? 'short' : 'long',
      features: [feature],
    }));
    const pieces: FitQuestion = { ...question(0, 1), results };
    expect(rankedBy(pieces, [1]).found).to.deep.equal(['long', 'short']);
    expect(rankedBy(pieces, [0]).found).to.deep.equal(['long', 'short']);
    expect(rankedByService(pieces).found).to.deep.equal(['long', 'short']);
  });
});
