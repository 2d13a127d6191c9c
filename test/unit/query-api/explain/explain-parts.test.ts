import { expect } from 'chai';
import { queryConfig } from '../../../../query-api/config.js';
import { failedRules } from '../../../../query-api/recall/explain/failed-rules.js';
import { matchedTerms } from '../../../../query-api/recall/explain/matched-terms.js';
import { scorePoints } from '../../../../query-api/recall/explain/score-points.js';
import { explainResult } from '../../../../query-api/recall/explain/explain-result.js';
import { planRecall } from '../../../../query-api/recall/plan.js';
import { createScore } from '../../../../query-api/recall/score.js';
import { createTermText } from '../../../../query-api/recall/term-text.js';
import type { RecallQuery } from '../../../../shared/contract/queries.js';
import type { Memory } from '../../../../shared/contract/memory.js';
import { candidateOf, memoryOf, NOW } from '../memories.js';

const { recall: config } = queryConfig({});
const planned = (query: RecallQuery) => planRecall(query, { config, dimension: 4, now: NOW });

describe('the terms that a memory holds', () => {
  const matched = (query: string, memory: Partial<Memory>) =>
    matchedTerms(memoryOf(1, memory), planned({ query }), createTermText());

  it('are told apart by where they stand', () => {
    expect(matched('redis billing kafka', { content: 'Redis holds it', tags: ['Billing'] })).to.deep.equal({
      content: ['redi'],
      tags: ['bill'],
      missing: ['kafka'],
      phrase: null,
      words: { tags: ['billing'], metadata: [] },
    });
  });

  it('may be one phrase', () => {
    expect(matched('redis caches', { content: 'The redis cache is full' }).phrase).to.equal('content');
    expect(matched('redis caches', { content: 'A cache, redis', tags: ['redis-cache'] }).phrase).to.equal('tags');
    expect(matched('redis', { content: 'redis' }).phrase).to.equal(null);
  });

  it('are looked for in the metadata word by word', () => {
    expect(matched('ticket ab-12', { metadata: { ticket: 'AB-12 closed' } }).words.metadata).to.deep.equal(['ab-12']);
  });
});

describe('the points of a score', () => {
  const plan = planned({ query: 'redis' });
  const [scored] = createScore(config.scoring)(
    [candidateOf(memoryOf(1, { content: 'Redis' }), { source: 'vector', similarity: 0.5 })],
    plan,
  );
  if (!scored) throw new Error('nothing was scored');

  it('are weight times component, largest first, without what brought nothing', () => {
    const points = scorePoints(scored, config.scoring);
    expect(Object.keys(points)).to.deep.equal(['keyword', 'vector', 'recency', 'importance', 'confidence']);
    expect(points).to.deep.include({ keyword: 0.35, vector: 0.175 });
  });

  it('name what a later stage did to the score', () => {
    const surrounded = {
      components: { ...scored.components, neighbours: 0.5, question: 1 },
      score: scored.score + 0.175 - 0.1,
    };
    expect(scorePoints(surrounded, config.scoring))
      .to.include({ neighbours: 0.175, question: -0.1 })
      .and.to.not.have.property('adjusted');
    expect(scorePoints({ ...scored, score: scored.score - 0.2 }, config.scoring)['adjusted']).to.be.closeTo(-0.2, 1e-9);
  });

  it('name the gate that faded them', () => {
    const { recall: gated } = queryConfig({ RECALL_RELEVANCE_GATE: '0.8' });
    const [faded] = createScore(gated.scoring)([candidateOf(memoryOf(1), { source: 'vector', similarity: 0.5 })], plan);
    if (!faded) throw new Error('nothing was scored');
    const context = { asked: plan, scoring: gated.scoring, termText: createTermText() };
    expect(explainResult(faded, context).gate).to.deep.equal({ evidence: 0.5, threshold: 0.8 });
  });
});

describe('the rules of a filter that keep a memory out', () => {
  const failed = (query: RecallQuery, memory: Partial<Memory>) =>
    failedRules(planned(query).filter, memoryOf(1, memory));

  it('are none for one that it admits', () => expect(failed({ tags: ['a'] }, { tags: ['a'] })).to.deep.equal([]));

  it('are all named', () => {
    expect(
      failed({ tags: ['a'], exclude_tags: ['b'], end: '2024-01-01' }, { tags: ['b'], type: 'MetaPattern' }),
    ).to.deep.equal(['type', 'time_window', 'tags', 'exclude_tags']);
  });

  it('hold archived ones back only in history: in current mode the state is judged by itself', () => {
    expect(failed({ state_mode: 'history' }, { archived: true })).to.deep.equal(['archived']);
    expect(failed({}, { archived: true })).to.deep.equal([]);
  });
});
