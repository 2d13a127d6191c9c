import { expect } from 'chai';
import type { ProbabilityModel } from '../../../../../query-api/recall/score/fitted-weights.js';
import { type MatchInput, matchProbability } from '../../../../../query-api/recall/score/match-probability.js';

const input = (overrides: Partial<MatchInput> = {}): MatchInput => ({
  known_terms: 1,
  candidates: 100,
  sessions: false,
  points: 0.4,
  ...overrides,
});

describe('the model of the match probability', () => {
  it('is the logistic of the weighted features', () => {
    const model: ProbabilityModel = {
      base: -3,
      known_terms: 2,
      sessions: -1,
      points: 4,
      wordless: 0.5,
      wordless_points: 3,
    };
    const logit = (probability: number): number => Math.log(probability / (1 - probability));
    const alone = input({ known_terms: 0.5, points: 0.6 });
    expect(logit(matchProbability(alone, model))).to.be.closeTo(-3 + 1 + 2.4, 1e-9);
    expect(logit(matchProbability({ ...alone, sessions: true }, model))).to.be.closeTo(-3 + 1 + 2.4 - 1, 1e-9);
    expect(logit(matchProbability({ ...alone, known_terms: 0 }, model))).to.be.closeTo(-3 + 0.5 + 0.6 * 7, 1e-9);
  });

  it('rises with points, with and without known terms', () => {
    for (const known_terms of [0, 0.5, 1])
      expect(matchProbability(input({ known_terms, points: 0.5 }))).to.be.above(
        matchProbability(input({ known_terms })),
      );
    expect(matchProbability(input({ known_terms: 0.5 }))).to.be.below(matchProbability(input()));
  });

  it('stays between 0 and 1 for extreme features', () => {
    for (const points of [-1e6, 1e6]) expect(matchProbability(input({ points }))).to.be.within(0, 1);
  });
});
