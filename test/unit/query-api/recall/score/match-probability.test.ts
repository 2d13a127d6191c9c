import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { HydratedCandidate, ScoredCandidate } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { createMatchEstimator } from '../../../../../query-api/recall/score/match-probability.js';
import { createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import { createSignals } from '../../../../../query-api/recall/score/signals/signals.js';
import { createTermText } from '../../../../../query-api/recall/score/term-text.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { candidateOf, memoryOf, NOW, replacedOf } from '../memories.js';

const { scoring } = queryConfig({}).recall;
const similar = { source: 'vector', similarity: 0.5 } as const;
const found = (number: number, content: string, fields: Partial<Memory> = {}): HydratedCandidate =>
  candidateOf(memoryOf(number, { content, ...fields }), similar);

function estimated(request: RecallQuery, candidates: readonly HydratedCandidate[]): readonly ScoredCandidate[] {
  const plan = planRecall(request, { config: queryConfig({}).recall, dimension: 4, now: NOW });
  const scored = createSignals(scoring)(createCandidateScorer(scoring)(candidates, plan), plan);
  return createMatchEstimator(scoring, createTermText())(scored, plan);
}
const bestOf = (candidates: readonly ScoredCandidate[]): number =>
  Math.max(...candidates.map(({ match }) => match?.probability ?? 0));

describe('the match probability', () => {
  it('keeps the order and the scores', () => {
    const candidates = estimated({ query: 'violin' }, [found(1, 'Cello'), found(2, 'Violin')]);
    expect(candidates.map(({ memory }) => memory.content)).to.deep.equal(['Cello', 'Violin']);
    const [cello, violin] = candidates;
    expect(violin?.match?.probability).to.be.above(cello?.match?.probability ?? 1);
  });

  it('is absent without a query, present with an embedding alone', () => {
    for (const request of [{}, { query: '*' }, { tags: ['a'] }])
      expect(estimated(request, [found(1, 'Violin')])[0]).to.not.have.property('match');
    const [byVector] = estimated({ embedding: new Float32Array([1, 0, 0, 0]) }, [found(1, 'Violin')]);
    expect(byVector?.match?.probability).to.be.within(0, 1);
    expect(byVector?.match?.known_terms).to.equal(0);
  });

  it('counts the terms of the query that contents and tags contain', () => {
    const candidates = [found(1, 'The lesson is over'), found(2, 'Clara', { tags: ['music:violin', 'thread:2'] })];
    const [first, second] = estimated({ query: 'violin lessons submarine whale' }, candidates);
    expect(first?.match).to.include({ known_terms: 0.5, candidates: 2, sessions: false });
    expect(second?.match?.known_terms).to.equal(0.5);
  });

  it('is lower when no candidate has the other words of the query', () => {
    const candidates = [found(1, 'Ann met Ben in the park'), found(2, 'Ann likes tea')];
    const known = bestOf(estimated({ query: 'when did Ann meet Ben' }, candidates));
    expect(bestOf(estimated({ query: 'when did Ann join the submarine crew' }, candidates))).to.be.below(known);
  });

  it('reads the words of the memory that was replaced', () => {
    const replaced = memoryOf(2, { content: 'The violin lesson is on Monday' });
    const candidate = {
      ...found(1, 'It is on Friday now'),
      replaces: replacedOf(replaced),
    };
    expect(estimated({ query: 'violin lesson' }, [candidate])[0]?.match?.known_terms).to.equal(1);
  });

  it('says whether neighbours in a session add points', () => {
    const tags = ['session:1'];
    const session = [found(1, 'I take violin lessons', { tags }), found(2, 'Since spring', { tags })];
    expect(estimated({ query: 'violin lessons' }, session)[0]?.match?.sessions).to.equal(true);
  });

  it('orders candidates as the points of their match do', () => {
    const contents = ['Ann met Ben in the park', 'Ann likes tea', 'Ben: where is Ann?', 'The park is closed', 'Soup'];
    const pool = contents.map((content, index) => found(index + 1, content, { tags: ['session:1'] }));
    const order = (valueOf: (one: ScoredCandidate) => number): readonly string[] =>
      [...estimated({ query: 'when did Ann meet Ben' }, pool)]
        .sort((one, other) => valueOf(other) - valueOf(one))
        .map(({ memory }) => memory.content);
    expect(order(({ match }) => match?.probability ?? 0)).to.deep.equal(order(({ match }) => match?.points ?? 0));
  });

  it('uses the cosine alone for a single memory and for a query by vector', () => {
    const near = { source: 'vector', similarity: 0.9 } as const;
    const far = { source: 'vector', similarity: 0.1 } as const;
    const byVector = { embedding: new Float32Array([1, 0, 0, 0]) };
    for (const request of [{ query: 'violin' }, byVector]) {
      expect(bestOf(estimated(request, [candidateOf(memoryOf(1, { content: 'Cello' }), near)]))).to.be.above(0.3);
      expect(bestOf(estimated(request, [candidateOf(memoryOf(1, { content: 'Tea' }), far)]))).to.be.below(0.02);
    }
    const pool = [0.3, 0.9, 0.5].map((similarity, index) =>
      candidateOf(memoryOf(index + 1), { source: 'vector', similarity }),
    );
    const [low = 0, high = 0, middle = 0] = estimated(byVector, pool).map(({ match }) => match?.probability ?? 0);
    expect(high).to.be.above(middle);
    expect(middle).to.be.above(low);
  });

  it('of an empty pool is an empty list', () => {
    expect(estimated({ query: 'violin' }, [])).to.deep.equal([]);
  });
});
