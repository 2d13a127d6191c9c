import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import type { ScoredCandidate } from '../../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { feedbackTerms } from '../../../../../../query-api/recall/score/follow/feedback-terms.js';
import { createCandidateScorer } from '../../../../../../query-api/recall/score/score-candidates.js';
import { createTermText } from '../../../../../../query-api/recall/score/term-text.js';
import { candidateOf, memoryOf, NOW } from '../../memories.js';

const config = queryConfig({}).recall;

/** Scored candidates with the contents, the first one with the best score. Fillers make the pool 20 candidates. */
function pool(...contents: readonly string[]): readonly ScoredCandidate[] {
  const fillers = Array.from({ length: 20 - contents.length }, (_, index) => `filler${index}`);
  const plan = planRecall({ query: 'violin' }, { config, dimension: 4, now: NOW });
  const candidates = [...contents, ...fillers].map((content, index) =>
    candidateOf(memoryOf(index + 1, { content }), { source: 'vector', similarity: 1 - index / 20 }),
  );
  return createCandidateScorer(config.scoring)(candidates, plan).map((scored, index) => ({
    ...scored,
    score: 1 - index / 20,
  }));
}

const termsOf = (scored: readonly ScoredCandidate[], query: readonly string[] = ['violin']): readonly string[] =>
  feedbackTerms(scored, query, createTermText()).map(({ term }) => term);

describe('feedback terms', () => {
  it('are terms of the best five candidates that the query does not contain', () => {
    const best = ['violin quokka', 'violin', 'violin', 'violin', 'violin'];
    expect(termsOf(pool(...best, 'zebra'))).to.deep.equal(['quokka']);
  });

  it('leave out what more than a fifth of the pool contains', () => {
    const query = ['violin', 'filler0'];
    expect(termsOf(pool('quokka', 'quokka', 'quokka', 'quokka'), query)).to.deep.equal(['quokka']);
    expect(termsOf(pool('quokka', 'quokka', 'quokka', 'quokka', 'quokka'))).to.deep.equal([]);
  });

  it('leave out the names of speakers', () => {
    const best = ['Ann: Bob saw a quokka', 'Bob: a quokka', 'violin', 'violin', 'violin'];
    expect(termsOf(pool(...best))).to.deep.equal(['saw', 'quokka'].sort());
  });

  it('weigh by how much the candidates that contain them exceed the median', () => {
    const best = ['quokka zebra', 'quokka', 'violin', 'violin', 'violin'];
    const found = feedbackTerms(pool(...best, 'zebra'), ['violin'], createTermText());
    expect(found.map(({ term }) => term)).to.deep.equal(['quokka', 'zebra']);
    const [quokka, zebra] = found.map(({ weight }) => weight);
    // The scores fall from 1 by 0.05, and their median is 0.55.
    expect(quokka).to.be.closeTo(0.45 + 0.4, 1e-9);
    expect(zebra).to.be.closeTo(0.45, 1e-9);
  });

  it('are at most 30', () => {
    const many = Array.from({ length: 40 }, (_, index) => `term${index}`).join(' ');
    expect(termsOf(pool(many, many))).to.have.length(30);
  });
});
