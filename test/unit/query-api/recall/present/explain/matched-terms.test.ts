import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { matchedTerms } from '../../../../../../query-api/recall/present/explain/explain-result.js';
import { createTermText } from '../../../../../../query-api/recall/score/term-text.js';
import type { Memory } from '../../../../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../../../../shared/contract/queries/recall-query.js';
import { memoryOf, NOW } from '../../memories.js';

const { recall: config } = queryConfig({});
const planned = (query: RecallQuery) => planRecall(query, { config, dimension: 4, now: NOW });

describe('matched terms', () => {
  const matched = (query: string, memory: Partial<Memory>) =>
    matchedTerms(memoryOf(1, memory), planned({ query }), createTermText());

  it('are listed by the part of the memory that contains them', () => {
    expect(matched('redis billing kafka', { content: 'Redis holds it', tags: ['Billing'] })).to.deep.equal({
      content: ['redi'],
      tags: ['bill'],
      missing: ['kafka'],
      phrase: null,
      words: { tags: ['billing'], metadata: [] },
    });
  });

  it('can be one phrase', () => {
    expect(matched('redis caches', { content: 'The redis cache is full' }).phrase).to.equal('content');
    expect(matched('redis caches', { content: 'A cache, redis', tags: ['redis-cache'] }).phrase).to.equal('tags');
    expect(matched('redis', { content: 'redis' }).phrase).to.equal(null);
  });

  it('include single words of the metadata', () => {
    expect(matched('ticket ab-12', { metadata: { ticket: 'AB-12 closed' } }).words.metadata).to.deep.equal(['ab-12']);
  });
});
