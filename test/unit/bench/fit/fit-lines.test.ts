import { expect } from 'chai';
import { COEFFICIENTS, featuresOf, scaledWeights } from '../../../bench/fit/coefficients.js';
import { recallLines } from '../../../bench/fit/fit-lines.js';

describe('the coefficients of the fit', () => {
  it('are one for vector and keyword, negative for questions', () => {
    const features = featuresOf({ vector: 0.5, keyword: 0.25, question: 1, importance: 0.5 });
    expect(features).to.have.length(COEFFICIENTS.length);
    expect(features[0]).to.equal(0.75);
    expect(features.filter((feature) => feature < 0)).to.deep.equal([-1]);
  });

  it('are scaled to the weight of the contract', () => {
    expect(scaledWeights([0.7, 0.5, 0])).to.deep.equal([0.35, 0.25, 0]);
    expect(() => scaledWeights([0, 2])).to.throw('no weight');
  });
});

describe('the tables of the fit', () => {
  const zeros = COEFFICIENTS.map(() => 0);
  const match = [1, ...zeros.slice(1)];
  const lexical = [1, 2, ...zeros.slice(2)];

  it('use the weights of the fold of each question', () => {
    const results = Array.from({ length: 12 }, (_, index) => ({
      source: `s${index}`,
      features: [1 - index / 100, index / 10, ...zeros.slice(2)],
    }));
    const fitted = { defaults: match, byFold: [match, lexical, match, match], onEverything: lexical };
    const asked = { category: 'any', evidence: ['s11'], results };
    const lines = recallLines([{ ...asked, conversation: 0 }, { ...asked, conversation: 1 }], fitted); // prettier-ignore
    expect(lines.map((line) => line.trim().split(/\s{2,}/u))).to.deep.equal([
      ['recall@10', 'questions', 'service', 'defaults', 'left out', 'fitted', 'in reach'],
      ['all', '2', '0.0', '0.0', '50.0', '100.0', '100.0'],
      ['any', '2', '0.0', '0.0', '50.0', '100.0', '100.0'],
    ]);
  });
});
