import { expect } from 'chai';
import { COEFFICIENTS, type FitResult } from '../../../bench/fit/coefficients.js';
import {
  fitOn,
  type FitQuestion,
  foldOf,
  FOLDS,
  rankedBy,
  rankedByService,
  weightsByFold,
} from '../../../bench/fit/cross-validate.js';

/** A result whose only feature is one of the signals. */
const partsOf = (signal: string, value: number): FitResult => ({
  vector: { fixed: 0, features: COEFFICIENTS.map((name) => (name === signal ? value : 0)) },
  keyword: null,
  others: 0,
});
const only = (signal: string): readonly number[] => COEFFICIENTS.map((name) => (name === signal ? 1 : 0));

/** The evidence has the signal `date` when it is good, and another result has it otherwise. */
const question = (conversation: number, good: number): FitQuestion => ({
  category: 'any',
  evidence: ['right'],
  conversation,
  results: [
    { source: 'wrong', parts: partsOf('date', 1 - good) },
    { source: 'right', parts: partsOf('date', good) },
  ],
});

describe('cross-validation by conversation', () => {
  it('assigns the conversations to four folds in turn', () => {
    expect([0, 1, 2, 3, 4, 5].map((conversation) => foldOf({ conversation }))).to.deep.equal([0, 1, 2, 3, 0, 1]);
  });

  it('fits the weights of a fold without its conversations', () => {
    const usual = [0, 1, 2, 3, 4].map((conversation) => question(conversation, 1));
    const reversed = question(2, 0);
    const byFold = weightsByFold([[...usual, reversed]]);
    expect(byFold).to.have.length(FOLDS);
    expect(byFold[2]).to.deep.equal(fitOn([usual.filter(({ conversation }) => conversation !== 2)]));
    const dateOf = (fold: number): number => byFold[fold]?.[COEFFICIENTS.indexOf('date')] ?? NaN;
    expect(dateOf(1)).to.be.below(dateOf(2));
  });

  it('ranks each source by its best result', () => {
    const results = [0.1, 0.5, 0.9].map((feature) => ({
      source: feature === 0.5 ? 'short' : 'long',
      parts: partsOf('date', feature),
    }));
    const pieces: FitQuestion = { ...question(0, 1), results };
    expect(rankedBy(pieces, only('date')).found).to.deep.equal(['long', 'short']);
    expect(rankedBy(pieces, only('role')).found).to.deep.equal(['long', 'short']);
    expect(rankedByService(pieces).found).to.deep.equal(['long', 'short']);
  });
});
