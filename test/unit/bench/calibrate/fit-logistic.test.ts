import { expect } from 'chai';
import { fitLogistic, type Sample } from '../../../bench/calibrate/fit-logistic.js';
import { seededRandom } from '../../../support/fixtures/random.js';

const sample = (features: readonly number[], isPositive: boolean, weight = 1): Sample => ({
  features,
  isPositive,
  weight,
});

describe('the logistic fit', () => {
  it('finds the coefficients that made the samples', () => {
    const truth = [-4, 3, 0, 2];
    const fitted = fitLogistic(drawnFrom(truth, 40_000));
    fitted.forEach((value, index) => expect(value, `coefficient ${index}`).to.be.closeTo(truth[index] ?? NaN, 0.15));
  });

  it('gives the share of positive samples when there is only a base', () => {
    const samples = [true, false, false, false].map((isPositive) => sample([1], isPositive));
    expect(fitLogistic(samples)[0]).to.be.closeTo(Math.log(1 / 3), 1e-4);
  });

  it('counts a sample by its weight', () => {
    const weighted = [sample([1, 0], true, 3), sample([1, 0], false), sample([1, 1], true), sample([1, 1], false, 2)];
    const repeated = weighted.flatMap((one) => Array.from({ length: one.weight }, () => ({ ...one, weight: 5 })));
    const [base = NaN, slope = NaN] = fitLogistic(weighted);
    expect([base, slope].map((value) => value.toFixed(6))).to.deep.equal(
      fitLogistic(repeated).map((value) => value.toFixed(6)),
    );
    expect(base).to.be.closeTo(Math.log(3), 1e-3);
  });

  it('stays finite when the features separate the samples', () => {
    const fitted = fitLogistic([sample([1, 0], false), sample([1, 10], true)]);
    expect(fitted.every(Number.isFinite), String(fitted)).to.equal(true);
    expect(fitted[1]).to.be.above(0.5);
  });

  it('rejects samples of one kind', () => {
    for (const samples of [[], [sample([1], true)], [sample([1], false)]])
      expect(() => fitLogistic(samples)).to.throw('The fit needs evidence and other results');
  });
});

function drawnFrom(truth: readonly number[], count: number): readonly Sample[] {
  const random = seededRandom(5);
  return Array.from({ length: count }, () => {
    const features = truth.map((_, index) => (index === 0 ? 1 : 2 * random.next()));
    const logit = features.reduce((sum, value, index) => sum + value * (truth[index] ?? 0), 0);
    return sample(features, random.next() < 1 / (1 + Math.exp(-logit)));
  });
}
