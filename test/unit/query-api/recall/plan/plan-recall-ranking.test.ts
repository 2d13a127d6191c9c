import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { asksForHistory, asksForLatest } from '../../../../../query-api/recall/plan/query-intent.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { NOW } from '../memories.js';

function planned(request: RecallQuery, variables: Record<string, string> = {}) {
  return planRecall(request, { config: queryConfig(variables).recall, dimension: 4, now: NOW });
}

describe('the plan of the ranking', () => {
  it('has a recency weight only with a recency bias', () => {
    expect(planned({ query: 'latest news' }).recencyWeight).to.equal(null);
    expect(planned({ query: 'news', recency_bias: 'on' }).recencyWeight).to.equal(0.1);
    expect(planned({ query: 'latest news', recency_bias: 'auto' }).recencyWeight).to.equal(0.1);
    expect(planned({ query: 'news', recency_bias: 'auto' }).recencyWeight).to.equal(null);
    expect(planned({ recency_bias: 'auto' }).recencyWeight).to.equal(null);
  });

  it('uses the configured bias and weight as defaults', () => {
    const variables = { RECALL_RECENCY_BIAS: 'on', SEARCH_WEIGHT_TEMPORAL: '0.3' };
    expect(planned({ query: 'news' }, variables).recencyWeight).to.equal(0.3);
    expect(planned({ query: 'news', recency_bias: 'off' }, variables).recencyWeight).to.equal(null);
  });

  it('ranks by closeness for a query by vector alone', () => {
    const embedding = new Float32Array([1, 0, 0, 0]);
    expect(planned({ embedding }).ranksByCloseness).to.equal(true);
    expect(planned({ embedding, query: '*', tags: ['a'] }).ranksByCloseness).to.equal(true);
    for (const request of [
      { query: 'news' },
      { embedding, query: 'news' },
      { embedding, queries: ['news'] },
      { embedding, sort: 'time_desc' },
      { embedding, recency_bias: 'on' },
      { embedding, context_tags: ['a'] },
    ] as const)
      expect(planned(request as RecallQuery).ranksByCloseness, Object.keys(request).join()).to.equal(false);
  });

  it('has an adaptive floor for a search only', () => {
    expect(planned({ query: 'news' }).adaptiveFloor).to.equal(true);
    expect(planned({ query: 'news', adaptive_floor: false }).adaptiveFloor).to.equal(false);
    expect(planned({ query: 'news' }, { RECALL_ADAPTIVE_FLOOR: 'false' }).adaptiveFloor).to.equal(false);
    for (const list of [{}, { query: '*' }, { tags: ['a'] }])
      expect(planned({ ...list, adaptive_floor: true }).adaptiveFloor).to.equal(false);
  });

  it('has a scope fallback only for a search within tags', () => {
    expect(planned({ query: 'news', tags: ['a'], scope_fallback: true }).scopeFallback).to.equal(true);
    expect(
      planned({ embedding: new Float32Array([1, 0, 0, 0]), tags: ['a'], scope_fallback: true }).scopeFallback,
    ).to.equal(true);
    for (const request of [{ query: 'news' }, { tags: ['a'] }, { query: '*', tags: ['a'] }]) {
      expect(planned({ ...request, scope_fallback: true }).scopeFallback).to.equal(false);
    }
  });

  it('gives a source one place by source_id, by another field or never', () => {
    expect(planned({ query: 'news' }).distinctBy).to.equal('source_id');
    expect(planned({ embedding: new Float32Array([1, 0, 0, 0]) }).distinctBy).to.equal('source_id');
    expect(planned({ queries: ['*', 'news'] }).distinctBy).to.equal('source_id');
    expect(planned({ query: 'news', distinct_by: 'document.id' }).distinctBy).to.equal('document.id');
    expect(planned({ query: 'news', distinct_by: 'none' }).distinctBy).to.equal(null);
  });

  it('gives each memory a place in a listing, by time and in history', () => {
    const requests: readonly RecallQuery[] = [
      {},
      { query: '*' },
      { query: 'news', queries: ['*'] },
      { time_query: 'today', sort: 'score' },
      { query: 'news', sort: 'time_desc' },
      { query: 'news', state_mode: 'history' },
      { query: 'news', current_only: false },
    ];
    for (const request of requests)
      expect(planned({ ...request, distinct_by: 'document' }).distinctBy, JSON.stringify(request)).to.equal(null);
  });

  it('has a token budget only when the request has one', () => {
    expect(planned({}).maxTokens).to.equal(null);
    expect(planned({ max_tokens: 7 }).maxTokens).to.equal(7);
  });
});

describe('a query for the latest state', () => {
  const asking = [
    'latest deploy',
    'What is our CURRENT plan?',
    'the most  recent one',
    'where do we live now',
    'is it used anymore',
    'what changed',
  ];
  for (const query of asking) {
    it(`detects: ${query}`, () => expect(asksForLatest(query)).to.equal(true));
  }
  for (const query of [
    'what do we know',
    'currents of the sea',
    'the last timer',
    'nowhere',
    'unchanged settings',
    '',
  ]) {
    it(`does not detect: ${query || 'an empty query'}`, () => expect(asksForLatest(query)).to.equal(false));
  }
});

describe('a query for a history as a whole', () => {
  for (const query of [
    'Summarize how the budget tracker progressed',
    'In which order did I mention the features?',
    'List the order in which I brought up the topics, in order',
    'How many roles do I want across all of my sessions?',
    'How has my plan evolved over  time?',
  ])
    it(`detects: ${query}`, () => expect(asksForHistory(query)).to.equal(true));

  for (const query of ['what do we do in order to deploy', 'where is the order of Ann', 'in order that it works', ''])
    it(`does not detect: ${query || 'an empty query'}`, () => expect(asksForHistory(query)).to.equal(false));

  it('covers days in an order by score without a bias', () => {
    const query = 'summarize the project';
    expect(planned({ query }).coversDays).to.equal(true);
    expect(planned({ queries: ['tools', query] }).coversDays).to.equal(true);
    for (const request of [
      { query: 'the project' },
      { query, sort: 'time_desc' },
      { query, recency_bias: 'on' },
    ] as const)
      expect(planned(request).coversDays).to.equal(false);
  });
});
