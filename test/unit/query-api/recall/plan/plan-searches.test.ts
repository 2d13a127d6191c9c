import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { planSearches } from '../../../../../query-api/recall/plan/plan.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import type { Search } from '../../../../../query-api/recall/plan/recall-plan.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { NOW } from '../memories.js';

function searches(request: RecallQuery): readonly Search[] {
  return planSearches(planRecall(request, { config: queryConfig({}).recall, dimension: 4, now: NOW }), request);
}
const weights = (request: RecallQuery) => searches(request).map(({ weight }) => weight);

describe('the searches of a recall', () => {
  it('are only the query by default', () => {
    expect(searches({ query: ' Redis caches ' })).to.have.length(1);
    expect(searches({ query: ' Redis caches ' })[0]).to.deep.include({
      query: 'Redis caches',
      text: 'Redis caches',
      words: ['redis', 'caches'],
      weight: 1,
    });
    expect(searches({})[0]).to.include({ text: null, weight: 1 });
  });

  it('are `queries` instead of `query`, each with the same plan', () => {
    const [first, second] = searches({ query: 'kafka', queries: ['redis', '*'], tags: ['a'], limit: 3 });
    expect(first).to.deep.include({ text: 'redis', words: ['redis'], terms: ['redi'], limit: 3, weight: 1 });
    expect(second).to.deep.include({ query: '*', text: null, words: [], terms: [] });
    expect(second?.filter.tags).to.deep.include({ values: ['a'] });
  });

  it('are the query and its parts; only the query uses the embedding', () => {
    const found = searches({
      query: 'has Caroline adopted',
      auto_decompose: true,
      embedding: Float32Array.of(1, 2, 3, 4),
    });
    expect(found.map(({ query, embedding }) => [query, embedding !== null])).to.deep.equal([
      ['has Caroline adopted', true],
      ['Caroline', false],
      ['Caroline adopted', false],
    ]);
  });

  it('weight a part by its share of the terms, and a query by 1', () => {
    expect(weights({ query: 'has Caroline adopted', auto_decompose: true })).to.deep.equal([1, 0.4, 0.8]);
    expect(weights({ queries: ['has Caroline adopted', 'Caroline'] })).to.deep.equal([1, 1]);
  });

  it('have equal weights when no query is part of another', () => {
    expect(weights({ queries: ['redis cache', 'cache eviction', 'redis cache', '*'] })).to.deep.equal([1, 1, 1, 1]);
  });

  it('fetch enough for per_query_limit', () => {
    expect(searches({ query: 'x', limit: 5, per_query_limit: 30 })[0]).to.include({ limit: 5, perQueryLimit: 30 });
    expect(searches({ query: 'x', limit: 5, per_query_limit: 30 })[0]?.passes[0]?.limits.vector).to.equal(100);
    expect(searches({ query: 'x', limit: 500, per_query_limit: 0 })[0]).to.include({ limit: 100, perQueryLimit: 1 });
    expect(searches({ query: 'x', limit: 7 })[0]).to.include({ perQueryLimit: 7 });
  });

  it('are sorted by score within a time window', () => {
    expect(searches({ queries: ['x'], start: '2024-01-01' })[0]?.sort).to.equal('score');
  });
});
