import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import type { RecallPlan } from '../../../../../query-api/recall/plan/recall-plan.js';
import type { RecallQuery } from '../../../../../shared/contract/queries/recall-query.js';
import { ValidationError } from '../../../../../shared/kernel/errors.js';
import { NOW, NOW_TEXT } from '../memories.js';

const DIMENSION = 4;

function planned(query: RecallQuery, environment: Record<string, string> = {}): RecallPlan {
  return planRecall(query, { config: queryConfig(environment).recall, dimension: DIMENSION, now: NOW });
}

describe('recall plan', () => {
  describe('limit', () => {
    it('is 5 by default', () => expect(planned({}).limit).to.equal(5));
    it('is at least 1', () => expect(planned({ limit: -3 }).limit).to.equal(1));
    it('is clamped to RECALL_MAX_LIMIT', () => {
      expect(planned({ limit: 500 }).limit).to.equal(100);
      expect(planned({ limit: 500 }, { RECALL_MAX_LIMIT: '7' }).limit).to.equal(7);
    });
  });

  describe('query', () => {
    it('is trimmed and split into words and terms', () => {
      const plan = planned({ query: '  The Redis caches ' });
      expect(plan.query).to.equal('The Redis caches');
      expect(plan.text).to.equal('The Redis caches');
      expect(plan.words).to.deep.equal(['redis', 'caches']);
      expect(plan.terms).to.have.length(2);
    });

    for (const query of ['*', ' * ', '']) {
      it(`${JSON.stringify(query)} has no text to search for`, () => {
        expect(planned({ query })).to.include({ text: null, query: query.trim() });
      });
    }

    it('keeps words with hyphens whole', () => {
      expect(planned({ query: '-- hub-developer foo_bar_' }).words).to.deep.equal(['hub-developer', 'foo_bar']);
    });

    it('is cut to its first 64 words and terms', () => {
      const query = Array.from({ length: 200 }, (_, index) => `word${index}x`).join(' ');
      const plan = planned({ query });
      expect(plan.terms.length).to.be.at.most(64);
      expect(plan.words).to.have.length(64);
    });
  });

  describe('embedding', () => {
    it('is rejected first when its length is wrong', () => {
      expect(() => planned({ embedding: new Float32Array(3), time_query: 'nonsense' })).to.throw(
        ValidationError,
        'Embedding must contain exactly 4 values',
      );
    });
    it('is used unchanged', () => {
      const embedding = Float32Array.of(1, 2, 3, 4);
      expect(planned({ embedding }).embedding).to.equal(embedding);
    });
  });

  describe('sort', () => {
    it('is by score by default', () => expect(planned({ query: 'x' }).sort).to.equal('score'));
    it('is by time for a window without a query', () =>
      expect(planned({ time_query: 'today' }).sort).to.equal('time_desc'));
    it('stays by score for a window with a query', () =>
      expect(planned({ time_query: 'today', query: 'redis' }).sort).to.equal('score'));
    it('is the order that the caller requests', () =>
      expect(planned({ time_query: 'today', sort: 'score' }).sort).to.equal('score'));
  });

  describe('time', () => {
    it('start and end override the bounds of time_query', () => {
      expect(planned({ time_query: 'today', start: '2024-01-01' }).timeWindow).to.deep.equal({
        start: '2024-01-01T00:00:00+00:00',
        end: '2024-06-13T00:00:00+00:00',
      });
      expect(planned({ end: '2024-01-01' }).filter).to.include({ start: null, end: '2024-01-01T00:00:00+00:00' });
    });
    it('rejects an unreadable time_query and names the parameter', () => {
      expect(() => planned({ time_query: 'whenever' }))
        .to.throw(ValidationError, 'time_query')
        .with.property('field', 'time_query');
    });
    it('rejects bounds that are not timestamps', () => {
      expect(() => planned({ start: 'soon' })).to.throw(ValidationError, 'Invalid start time: Invalid ISO timestamp');
      expect(() => planned({ end: 'late' })).to.throw(ValidationError, 'Invalid end time: Invalid ISO timestamp');
    });
  });

  describe('filter', () => {
    it('has the tags with their mode and match', () => {
      expect(planned({ tags: ['a', 'b'] }).filter.tags).to.deep.equal({
        values: ['a', 'b'],
        mode: 'any',
        match: 'prefix',
      });
      expect(planned({ tags: ['a'], tag_mode: 'all', tag_match: 'exact' }).filter.tags).to.include({
        mode: 'all',
        match: 'exact',
      });
      expect(planned({ tags: [] }).filter.tags).to.equal(null);
    });
    it('has excluded tags, excluded types and the current time', () => {
      expect(planned({ exclude_tags: ['x'] }).filter).to.deep.include({
        excludeTags: ['x'],
        excludedTypes: ['MetaPattern'],
        now: NOW_TEXT,
      });
    });
  });

  describe('state', () => {
    it('is current by default, with a small pass for lapsed memories', () => {
      const { passes, stateMode } = planned({});
      expect(stateMode).to.equal('current');
      expect(passes.map(({ filter }) => filter.state)).to.deep.equal(['current', 'lapsed']);
      expect(passes[1]?.limits).to.deep.equal({ vector: 20, keyword: 20, trending: 20 });
    });
    it('searches all memories that are not archived in history mode', () => {
      expect(planned({ state_mode: 'history' }).passes.map(({ filter }) => filter.state)).to.deep.equal(['unarchived']);
    });
    it('is decided by current_only when the request has both parameters', () => {
      expect(planned({ state_mode: 'current', current_only: false }).stateMode).to.equal('history');
      expect(planned({ state_mode: 'history', current_only: true }).stateMode).to.equal('current');
    });
  });

  describe('pool', () => {
    const vectorLimit = (query: RecallQuery, environment = {}): number | undefined =>
      planned(query, environment).passes[0]?.limits.vector;
    it('of vector candidates is the same for each limit, with tags and without', () => {
      for (const limit of [1, 10, 50, 100]) expect(vectorLimit({ query: 'x', limit })).to.equal(100);
      expect(vectorLimit({ query: 'x', tags: ['a'], limit: 10 })).to.equal(100);
      expect(vectorLimit({ query: 'x', context: 'debugging' })).to.equal(100);
    });
    it('of vector candidates grows with RECALL_MAX_LIMIT up to the cap', () => {
      expect(vectorLimit({ query: 'x' }, { RECALL_MAX_LIMIT: '150' })).to.equal(150);
      expect(vectorLimit({ query: 'x' }, { RECALL_MAX_LIMIT: '300' })).to.equal(200);
      expect(vectorLimit({ query: 'x', limit: 80 }, { RECALL_VECTOR_FETCH_CAP: '10' })).to.equal(80);
    });
    it('of a listing is four times the limit, within limit and cap', () => {
      const listed = (query: RecallQuery, environment = {}) => planned(query, environment).passes[0]?.limits.trending;
      expect(listed({})).to.equal(20);
      expect(listed({ limit: 80 })).to.equal(200);
      expect(listed({ limit: 80 }, { RECALL_VECTOR_FETCH_CAP: '10' })).to.equal(80);
      expect(listed({}, { RECALL_VECTOR_OVERFETCH: '1' })).to.equal(5);
    });
  });

  it('takes min_score from the request, or from the configuration', () => {
    expect(planned({}).minScore).to.equal(0);
    expect(planned({}, { RECALL_MIN_SCORE: '0.2' }).minScore).to.equal(0.2);
    expect(planned({ min_score: 7 }).minScore).to.equal(1);
  });
});
