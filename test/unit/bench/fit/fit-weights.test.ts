import { expect } from 'chai';
import { fitWeights, type Listwise } from '../../../bench/fit/fit-weights.js';
import { seededRandom } from '../../../support/fixtures/random.js';

describe('the fit of weights', () => {
  it('finds the weights that chose the evidence', () => {
    const truth = [6, 3, 0];
    const [first = 0, second = 0, third = 0] = fitWeights([chosenBy(truth, 1_000)], 3);
    expect(first).to.be.closeTo(6, 0.8);
    expect(second).to.be.closeTo(3, 0.6);
    expect(third).to.be.below(0.5);
  });

  it('gives no weight to a feature that the evidence lacks', () => {
    const weights = fitWeights([[{ features: [[1, 0], [0, 1]], positives: [0] }]], 2); // prettier-ignore
    expect(weights[0]).to.be.above(1);
    expect(weights[1]).to.equal(0);
  });

  it('gives each corpus the same weight, however many questions it has', () => {
    const one: Listwise = { features: [[1, 0], [0, 1]], positives: [0] }; // prettier-ignore
    const other: Listwise = { ...one, positives: [1] };
    expect(fitWeights([Array.from({ length: 9 }, () => one), [other]], 2)).to.deep.equal([0, 0]);
  });

  it('gives each evidence of a question the same share', () => {
    const question: Listwise = { features: [[1, 0], [0, 1], [0, 0]], positives: [0, 1] }; // prettier-ignore
    const [one = 0, other = 0] = fitWeights([[question]], 2);
    expect(one).to.be.above(1);
    expect(other).to.be.closeTo(one, 1e-3);
  });

  it('ignores questions without evidence, and rejects a fit without any', () => {
    const without: Listwise = { features: [[5], [0]], positives: [] };
    const usable: Listwise = { features: [[1], [0]], positives: [0] };
    expect(fitWeights([[usable, without], [without]], 1)).to.deep.equal(fitWeights([[usable]], 1));
    expect(() => fitWeights([[without]], 1)).to.throw('No question has evidence');
  });
});

/** Questions with ten results, one of them chosen with the probability of the model. */
function chosenBy(truth: readonly number[], count: number): readonly Listwise[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, () => {
    const features = Array.from({ length: 10 }, () => truth.map(() => random.next()));
    const odds = features.map((result) =>
      Math.exp(result.reduce((sum, value, at) => sum + value * (truth[at] ?? 0), 0)),
    );
    let left = random.next() * odds.reduce((sum, one) => sum + one, 0);
    const chosen = odds.findIndex((one) => (left -= one) < 0);
    return { features, positives: [chosen] };
  });
}
