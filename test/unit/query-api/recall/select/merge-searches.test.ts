import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { Evidence, Hit, ScoredCandidate, SourceName } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import type { ScoredSearch } from '../../../../../query-api/recall/score/score-search.js';
import { mergeSearches } from '../../../../../query-api/recall/select/merge-searches.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { candidateOf, memoryOf, NOW, numberedId } from '../memories.js';

const { recall: config } = queryConfig({});
const planned = (request: RecallQuery) => planRecall(request, { config, dimension: 4, now: NOW });
const merged = (found: readonly ScoredSearch[], request: RecallQuery = {}) =>
  mergeSearches(found, planned(request), config.scoring.weights);
const near = (number: number, similarity: number, content?: string) =>
  candidateOf(memoryOf(number, content === undefined ? {} : { content }), { source: 'vector', similarity });

function foundBy(
  query: string,
  candidates: readonly ReturnType<typeof near>[],
  overrides: Partial<ScoredSearch> = {},
  weight = 1,
): ScoredSearch {
  const search = { ...planned({ query }), weight };
  return {
    search,
    hits: new Map(),
    degraded: [],
    suppressed: [],
    scored: createCandidateScorer(config.scoring)(candidates, search),
    ...overrides,
  };
}
const hit = (number: number, evidence: Evidence = { source: 'keyword' }): Hit => ({ id: numberedId(number), evidence });
const bestOf = (candidates: readonly ScoredCandidate[], number: number): number =>
  Math.max(...candidates.filter(({ memory }) => memory.id === numberedId(number)).map(({ score }) => score));

describe('merged searches', () => {
  it('keep the scores of a single search', () => {
    const only = foundBy('redis', [near(1, 0.9), near(2, 0.8), near(3, 0.7), near(4, 0.6), near(5, 0.5), near(6, 0.4)]);
    const { candidates, dedupRemoved } = merged([only], { query: 'redis', limit: 2 });
    expect(candidates.map(({ score }) => score)).to.deep.equal(only.scored.map(({ score }) => score));
    expect(dedupRemoved).to.equal(0);
  });

  it('cut a single search to per_query_limit', () => {
    const only = foundBy('redis', [near(1, 0.7), near(2, 0.9), near(3, 0.8)]);
    expect(merged([only], { per_query_limit: 2 }).candidates.map(({ memory }) => memory.id)).to.deep.equal([
      numberedId(2),
      numberedId(3),
    ]);
  });

  it('keep the best results of each search and count repeated ones', () => {
    const { candidates, dedupRemoved } = merged(
      [
        foundBy('a', [near(1, 0.9), near(2, 0.8), near(3, 0.1)]),
        foundBy('b', [near(2, 0.9), near(4, 0.8), near(3, 0.1)]),
      ],
      { limit: 2 },
    );
    expect(candidates.map(({ memory, scoredBy: by }) => [memory.id, by?.query])).to.deep.equal([
      [numberedId(1), 'a'],
      [numberedId(2), 'a'],
      [numberedId(2), 'b'],
      [numberedId(4), 'b'],
    ]);
    expect(dedupRemoved).to.equal(1);
  });

  it('count equal contents of different searches as repeated', () => {
    expect(
      merged([foundBy('a', [near(1, 0.9, 'Use Redis!')]), foundBy('b', [near(2, 0.9, 'use redis')])]).dedupRemoved,
    ).to.equal(1);
  });

  describe('with pieces of one source', () => {
    const piece = (number: number, similarity: number, source: string) =>
      candidateOf(memoryOf(number, { metadata: { source_id: source } }), { source: 'vector', similarity });
    const numbersIn = (candidates: readonly ScoredCandidate[]) =>
      candidates.map(({ memory }) => Number(memory.id.slice(-12)));
    const found = [piece(1, 0.9, 'a'), piece(2, 0.8, 'a'), piece(3, 0.7, 'b'), piece(4, 0.1, 'c')];

    it('keep the best sources with all their pieces', () => {
      expect(numbersIn(merged([foundBy('x', found)], { query: 'x', per_query_limit: 2 }).candidates)).to.deep.equal([
        1, 2, 3,
      ]);
      const { candidates } = merged([foundBy('x', found), foundBy('y', [piece(4, 0.9, 'c')])], {
        query: 'x',
        limit: 1,
      });
      expect(numbersIn(candidates)).to.deep.equal([1, 2, 4]);
    });

    it('count repeated results as without sources', () => {
      const removed = (distinctBy: string, limit: number) =>
        merged([foundBy('x', found), foundBy('y', found)], { query: 'x', limit, distinct_by: distinctBy }).dedupRemoved;
      expect([removed('source_id', 3), removed('none', 3)]).to.deep.equal([3, 3]);
      expect([removed('source_id', 9), removed('none', 9)]).to.deep.equal([4, 4]);
    });
  });

  it('rank a part that matches everything below a distinctive query', () => {
    const alike = Array.from({ length: 20 }, (_, index) => near(index + 1, 0.9 - index / 1000));
    const name = foundBy('name', alike, {}, 0.5);
    const question = foundBy('question', [near(30, 0.5), near(31, 0.1), near(32, 0.1), near(33, 0.1)]);
    const { candidates } = merged([name, question], { limit: 5 });
    expect(bestOf(candidates, 30)).to.be.greaterThan(bestOf(candidates, 1));
  });

  it('do not reduce the components that are independent of the query', () => {
    const vague = foundBy('vague', [near(1, 0.5), near(2, 0.5), near(3, 0.5)], {}, 0.5);
    const { candidates } = merged([foundBy('clear', [near(9, 0.9), near(8, 0)]), vague]);
    expect(bestOf(candidates, 1)).to.be.closeTo(0.1 * 0.5 + 0.05 * 0.6 + 0.1, 1e-12);
  });

  it('list hits, failures and suppressions once each', () => {
    const hits = (...numbers: readonly number[]) =>
      new Map<SourceName, readonly Hit[]>([['keyword', numbers.map((number) => hit(number))]]);
    const common = {
      degraded: [{ source: 'vectors', reason: 'down' }],
      suppressed: [{ id: numberedId(7), reason: 'expired' as const }],
    };
    const {
      hits: all,
      degraded,
      suppressed,
    } = merged([foundBy('a', [], { ...common, hits: hits(1, 2) }), foundBy('b', [], { ...common, hits: hits(2, 3) })]);
    expect(all.get('keyword')?.map(({ id }) => id)).to.deep.equal([1, 2, 3].map(numberedId));
    expect(degraded).to.deep.equal(common.degraded);
    expect(suppressed).to.deep.equal(common.suppressed);
  });
});
