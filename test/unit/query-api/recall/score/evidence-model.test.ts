import { expect } from 'chai';
import type { Match, Signals } from '../../../../../query-api/recall/candidate.js';
import { modelledComponents, NO_SIGNALS } from '../../../../../query-api/recall/score/evidence-model.js';
import { FITTED } from '../../../../../query-api/recall/score/fitted-weights.js';

const componentsOf = (match: Partial<Match> = {}, signals: Partial<Signals> = {}, direct = 0, candidates = 150) =>
  modelledComponents(
    { match: { similarity: 0.5, words: 0.5, ...match }, signals: { ...NO_SIGNALS, ...signals }, direct, candidates },
    FITTED.evidence,
  );

describe('the evidence model', () => {
  const { vector, keyword } = componentsOf();

  it('rises with the cosine and with the words, each in its component', () => {
    expect(componentsOf({ similarity: 0.6 }).keyword).to.equal(keyword);
    expect(componentsOf({ similarity: 0.6 }).vector).to.be.above(vector);
    expect(componentsOf({}, { standing: 1 }).vector).to.be.above(vector);
    expect(componentsOf({ words: 0.6 }).keyword).to.be.above(keyword);
    expect(componentsOf({}, { lexical: 1 }).keyword).to.be.above(keyword);
    expect(componentsOf({ words: 0.6 }).vector).to.equal(vector);
  });

  it('rises with each signal, and falls for a question and a long text', () => {
    for (const name of ['neighbours', 'session', 'subject', 'date', 'role'] as const) {
      const raised = componentsOf({}, { [name]: 1 });
      expect(raised.vector, name).to.be.above(vector);
      expect(raised.keyword, name).to.be.above(keyword);
    }
    for (const name of ['question', 'verbosity'] as const) {
      const lowered = componentsOf({}, { [name]: 1 });
      expect(lowered.vector, name).to.be.below(vector);
      expect(lowered.keyword, name).to.be.below(keyword);
    }
  });

  it('multiplies the odds of both by the same factor', () => {
    const odds = (probability: number): number => probability / (1 - probability);
    const raised = componentsOf({}, { subject: 1 });
    const factor = Math.exp(FITTED.evidence.support.subject);
    expect(odds(raised.vector) / odds(vector)).to.be.closeTo(factor, 1e-9);
    expect(odds(raised.keyword) / odds(keyword)).to.be.closeTo(factor, 1e-9);
  });

  it('is higher in a smaller pool, and the same in a larger one', () => {
    const small = componentsOf({}, {}, 0, 2);
    expect(small.vector).to.be.above(vector);
    expect(small.keyword).to.be.above(keyword);
    expect(componentsOf({}, {}, 0, 1_000)).to.deep.equal({ vector, keyword });
  });

  it('gives 0 to a memory with nothing in common, whatever is around it', () => {
    const around = { standing: 9, lexical: 1, neighbours: 1, session: 1, subject: 1, date: 1, role: 1 };
    expect(componentsOf({ similarity: 0, words: 0 }, around)).to.deep.equal({ vector: 0, keyword: 0 });
  });

  it('lowers a memory without the identifier of the query below one with it', () => {
    const strong = componentsOf({ similarity: 0.9, words: 0.5, identifier: 0 }, { standing: 3, neighbours: 1 });
    const named = componentsOf({ similarity: 0.1, words: 0.5, identifier: 1 }, {}, 1);
    expect(strong.vector + strong.keyword).to.be.below(named.vector + named.keyword);
  });

  it('stays between 0 and 1 for extreme features', () => {
    for (const similarity of [1e-12, 1])
      for (const standing of [-1e6, 1e6])
        expect(componentsOf({ similarity, words: 1 }, { standing }, 1).vector).to.be.within(0, 1);
  });
});
