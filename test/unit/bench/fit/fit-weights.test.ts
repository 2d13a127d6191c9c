import { expect } from 'chai';
import { modelledComponents, NO_SIGNALS } from '../../../../query-api/recall/score/evidence-model.js';
import { FITTED } from '../../../../query-api/recall/score/fitted-weights.js';
import { COEFFICIENTS, coefficientsOf, type FitResult, fitResultOf } from '../../../bench/fit/coefficients.js';
import { fitWeights, type Listwise, scoreOf, SHARPNESS } from '../../../bench/fit/fit-weights.js';
import { seededRandom } from '../../../support/fixtures/random.js';

const resultOf = (features: Partial<Parameters<typeof fitResultOf>[0]>, others = 0): FitResult =>
  fitResultOf({ similarity: 0.5, words: 0.5, ...NO_SIGNALS, ...features }, others);
const at = (weights: readonly number[], name: string): number => weights[COEFFICIENTS.indexOf(name)] ?? NaN;

describe('the fit of evidence', () => {
  it('computes the score of the service', () => {
    const signals = { ...NO_SIGNALS, lexical: 0.6, neighbours: 0.4, subject: 1, question: 0.5 };
    const match = { similarity: 0.6, words: 0.3 };
    const { vector, keyword } = modelledComponents({ match, signals, direct: 0, candidates: 150 }, FITTED.evidence);
    expect(scoreOf(fitResultOf({ ...match, ...signals }, 0.1), coefficientsOf(FITTED.evidence))).to.be.closeTo(
      0.35 * (vector + keyword) + 0.1,
      1e-12,
    );
  });

  it('finds the coefficients that chose the evidence', () => {
    const truth = COEFFICIENTS.map((name) => ({ subject: 1.5, 'vector standing': 1, question: -1 })[name] ?? 0);
    const weights = fitWeights([chosenBy(truth, 1_000)]);
    expect(at(weights, 'subject')).to.be.closeTo(1.5, 0.5);
    expect(at(weights, 'question')).to.be.closeTo(-1, 0.5);
    expect(at(weights, 'role')).to.be.below(0.3);
  });

  it('keeps a coefficient within its bounds', () => {
    const weights = fitWeights([[{ results: [resultOf({ date: 1 }), resultOf({})], positives: [1] }]]);
    expect(at(weights, 'date')).to.equal(0);
  });

  it('gives each corpus the same weight, however many questions it has', () => {
    const one: Listwise = { results: [resultOf({ date: 1 }), resultOf({ role: 1 })], positives: [0] };
    const other: Listwise = { ...one, positives: [1] };
    const weights = fitWeights([Array.from({ length: 9 }, () => one), [other]]);
    expect(at(weights, 'date')).to.be.closeTo(at(weights, 'role'), 1e-3);
  });

  it('ignores questions without evidence, and rejects a fit without any', () => {
    const without: Listwise = { results: [resultOf({ date: 1 }), resultOf({})], positives: [] };
    const usable: Listwise = { ...without, positives: [0] };
    expect(fitWeights([[usable, without], [without]])).to.deep.equal(fitWeights([[usable]]));
    expect(() => fitWeights([[without]])).to.throw('No question has evidence');
  });
});

/** Questions with ten results, one of them chosen with the probability of the model. */
function chosenBy(truth: readonly number[], count: number): readonly Listwise[] {
  const random = seededRandom(3);
  return Array.from({ length: count }, () => {
    const results = Array.from({ length: 10 }, () =>
      resultOf({
        standing: 2 * random.next(),
        subject: random.next(),
        question: random.next(),
        role: random.next(),
        words: 0,
      }),
    );
    const odds = results.map((result) => Math.exp(SHARPNESS * scoreOf(result, truth)));
    let left = random.next() * odds.reduce((sum, one) => sum + one, 0);
    const chosen = odds.findIndex((one) => (left -= one) < 0);
    return { results, positives: [chosen] };
  });
}
