import { expect } from 'chai';
import { nothingFitsLines } from '../../../bench/quality/nothing-fits.js';

const answer = (nothingFits: boolean, probabilities: Readonly<Record<string, number>>) => {
  const entries = Object.entries(probabilities);
  return {
    nothingFits,
    results: entries.map(([source, matchProbability]) => ({ source, matchProbability, score: 0, components: {} })),
  };
};

describe('the measurement of nothing_fits', () => {
  it('counts refusals, and evidence that reaches the bound', () => {
    const [line] = nothingFitsLines([
      { evidence: ['a', 'b'], own: answer(false, { a: 0.9, x: 0.7, b: 0.2 }), other: answer(true, { y: 0.4 }) },
      { evidence: ['c', 'lost'], own: answer(false, { c: 0.8 }), other: answer(false, { y: 0.6, z: 0.1 }) },
    ]);
    expect(line).to.equal(
      'nothing fits, bound 0.600: true for 50.0 % of 2 questions to another conversation; 66.7 % of 3 true evidence reaches it',
    );
  });

  it('also uses the bound that 90 % of the evidence reaches', () => {
    const pairs = Array.from({ length: 10 }, (_, index) => ({
      evidence: ['a'],
      own: answer(false, { a: (index + 1) / 10 }),
      other: answer(true, { y: index < 3 ? 0.1 : 0.5 }),
    }));
    expect(nothingFitsLines(pairs)[1]).to.equal(
      'nothing fits, bound 0.200, which 90.0 % of true evidence reaches: true for 30.0 %',
    );
  });
});
