import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { anchorsOf } from '../../../../../../query-api/recall/score/follow/second-search.js';
import type { Memory } from '../../../../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../../../../shared/contract/queries/recall-query.js';
import { NOW } from '../../memories.js';
import { resultOf } from '../../results.js';

const planOf = (query: RecallQuery) => planRecall(query, { config: queryConfig({}).recall, dimension: 4, now: NOW });
const chat = (number: number, score: number, fields: Partial<Memory> = {}) =>
  resultOf(number, score, { tags: ['Conversation:7'], timestamp: '2024-05-01T12:00:00+00:00', ...fields });

describe('anchors of the second search', () => {
  it('are the times of the best 20 candidates, with bounds and tag', () => {
    const scored = Array.from({ length: 30 }, (_, index) => chat(index + 1, index / 30));
    const anchors = anchorsOf(scored, planOf({ query: 'x' }));
    expect(anchors).to.have.length(20);
    const { of, ...best } = anchors[0] ?? {};
    expect(of?.score).to.equal(29 / 30);
    expect(best).to.deep.equal({
      at: '2024-05-01T12:00:00+00:00',
      from: '2024-05-01T11:00:00+00:00',
      until: '2024-05-01T13:00:00+00:00',
      tag: 'conversation:7',
    });
  });

  it('leave out memories without a session', () => {
    const alone = [chat(1, 1, { tags: ['note'] })];
    expect(anchorsOf(alone, planOf({ query: 'x' }))).to.deep.equal([]);
    expect(anchorsOf(alone, planOf({ query: 'x', tags: ['note'] }))).to.have.length(1);
    expect(anchorsOf([chat(1, 1, { tags: [], metadata: { session_id: 's' } })], planOf({ query: 'x' }))).to.have.length(
      1,
    );
  });
});
