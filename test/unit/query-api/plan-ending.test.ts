import { expect } from 'chai';
import { queryConfig } from '../../../query-api/config.js';
import { planRecall } from '../../../query-api/recall/plan.js';
import type { RecallQuery } from '../../../shared/contract/queries.js';
import { NOW } from './memories.js';

function planned(request: RecallQuery, variables: Record<string, string> = {}) {
  return planRecall(request, { config: queryConfig(variables).recall, dimension: 4, now: NOW });
}

describe('planning the end of a recall', () => {
  it('leaves the order to the score unless a newer result is to count more', () => {
    expect(planned({ query: 'latest news' }).recencyWeight).to.equal(null);
    expect(planned({ query: 'news', recency_bias: 'on' }).recencyWeight).to.equal(0.1);
    expect(planned({ query: 'latest news', recency_bias: 'auto' }).recencyWeight).to.equal(0.1);
    expect(planned({ query: 'news', recency_bias: 'auto' }).recencyWeight).to.equal(null);
    expect(planned({ recency_bias: 'auto' }).recencyWeight).to.equal(null);
  });

  it('takes the configured bias and weight where the request says nothing', () => {
    const variables = { RECALL_RECENCY_BIAS: 'on', SEARCH_WEIGHT_TEMPORAL: '0.3' };
    expect(planned({ query: 'news' }, variables).recencyWeight).to.equal(0.3);
    expect(planned({ query: 'news', recency_bias: 'off' }, variables).recencyWeight).to.equal(null);
  });

  it('drops what is far below the best for a search only', () => {
    expect(planned({ query: 'news' }).adaptiveFloor).to.equal(true);
    expect(planned({ query: 'news', adaptive_floor: false }).adaptiveFloor).to.equal(false);
    expect(planned({ query: 'news' }, { RECALL_ADAPTIVE_FLOOR: 'false' }).adaptiveFloor).to.equal(false);
    for (const list of [{}, { query: '*' }, { tags: ['a'] }])
      expect(planned({ ...list, adaptive_floor: true }).adaptiveFloor).to.equal(false);
  });

  it('goes outside the tags only where there are some, and something to search for', () => {
    expect(planned({ query: 'news', tags: ['a'], scope_fallback: true }).scopeFallback).to.equal(true);
    expect(
      planned({ embedding: new Float32Array([1, 0, 0, 0]), tags: ['a'], scope_fallback: true }).scopeFallback,
    ).to.equal(true);
    for (const request of [{ query: 'news' }, { tags: ['a'] }, { query: '*', tags: ['a'] }]) {
      expect(planned({ ...request, scope_fallback: true }).scopeFallback).to.equal(false);
    }
  });

  it('has a budget only where one is given', () => {
    expect(planned({}).maxTokens).to.equal(null);
    expect(planned({ max_tokens: 7 }).maxTokens).to.equal(7);
  });
});
