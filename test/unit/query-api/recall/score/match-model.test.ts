import { expect } from 'chai';
import { FITTED, type MatchModels } from '../../../../../query-api/recall/score/fitted-weights.js';
import { type MatchInput, matchProbability, modelOf } from '../../../../../query-api/recall/score/match-probability.js';

const input = (overrides: Partial<MatchInput> = {}): MatchInput => ({
  known_terms: 1,
  candidates: 100,
  sessions: false,
  points: 0.7,
  vector: 0.5,
  keyword: 0.8,
  metadata: 0,
  exact: 0,
  tag: 0,
  ...overrides,
});

describe('the model of the match probability', () => {
  it('is the logistic of the weighted features', () => {
    const models: MatchModels = {
      words: {
        base: -3,
        known_terms: 2,
        log_candidates: -0.5,
        points: 4,
        vector: 1,
        sessions: -1,
        session_points: -0.5,
      },
      meaning: { base: -2, vector: 4 },
    };
    const logit = (probability: number): number => Math.log(probability / (1 - probability));
    const alone = input({ known_terms: 0.5, candidates: 20, points: 0.6 });
    expect(logit(matchProbability(alone, models))).to.be.closeTo(-3 + 1 - 0.5 * Math.log(20) + 2.4 + 0.5, 1e-9);
    expect(logit(matchProbability({ ...alone, sessions: true }, models))).to.be.closeTo(
      -3 + 1 - 0.5 * Math.log(20) + 2.4 + 0.5 - 1 - 0.3,
      1e-9,
    );
    expect(logit(matchProbability(input({ keyword: 0 }), models))).to.be.closeTo(0, 1e-9);
  });

  it('rises with points and known terms, falls with sessions', () => {
    const usual = matchProbability(input());
    for (const better of [{ points: 0.9 }, { vector: 0.7 }, { candidates: 10 }])
      expect(matchProbability(input(better)), JSON.stringify(better)).to.be.above(usual);
    for (const worse of [{ known_terms: 0.5 }, { sessions: true }])
      expect(matchProbability(input(worse)), JSON.stringify(worse)).to.be.below(usual);
  });

  it('reads only the vector where no word is shared', () => {
    const foreign = { keyword: 0, vector: 0.6 };
    expect(modelOf(input(foreign))).to.equal('meaning');
    expect(matchProbability(input({ ...foreign, known_terms: 0, candidates: 2, points: 3 }))).to.equal(
      matchProbability(input(foreign)),
    );
    for (const word of [{ metadata: 0.5 }, { exact: 1 }, { tag: 0.2 }])
      expect(modelOf(input({ ...foreign, ...word }))).to.equal('words');
  });

  it('stays between 0 and 1 for extreme features', () => {
    for (const points of [-1e6, 1e6]) expect(matchProbability(input({ points }))).to.be.within(0, 1);
    expect(FITTED.match.words.points).to.be.above(0);
  });
});
