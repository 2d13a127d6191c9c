import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { explainResult, scorePoints } from '../../../../../../query-api/recall/present/explain/explain-result.js';
import { createCandidateScorer } from '../../../../../../query-api/recall/score/score-candidates.js';
import { createTermText } from '../../../../../../query-api/recall/score/term-text.js';
import type { RecallQuery } from '../../../../../../shared/contract/queries/recall-query.js';
import { candidateOf, memoryOf, NOW } from '../../memories.js';

const { recall: config } = queryConfig({});
const planned = (query: RecallQuery) => planRecall(query, { config, dimension: 4, now: NOW });

describe('score points', () => {
  const plan = planned({ query: 'redis' });
  const [scored] = createCandidateScorer(config.scoring)(
    [candidateOf(memoryOf(1, { content: 'Redis' }), { source: 'vector', similarity: 0.5 })],
    plan,
  );
  if (!scored) throw new Error('nothing was scored');

  it('are weight times component, largest first, without zeros', () => {
    const points = scorePoints(scored, config.scoring);
    expect(Object.keys(points)).to.deep.equal(['keyword', 'vector', 'recency', 'importance', 'confidence']);
    expect(points).to.deep.include({ keyword: 0.35, vector: 0.175 });
  });

  it('include the change of the score by later stages', () => {
    expect(scorePoints(scored, config.scoring)).to.not.have.property('adjusted');
    expect(scorePoints({ ...scored, score: scored.score - 0.2 }, config.scoring)['adjusted']).to.be.closeTo(-0.2, 1e-9);
  });

  it('include the relevance gate that reduced them', () => {
    const { recall: gated } = queryConfig({ RECALL_RELEVANCE_GATE: '0.8' });
    const [weak] = createCandidateScorer(gated.scoring)(
      [candidateOf(memoryOf(1), { source: 'vector', similarity: 0.5 })],
      plan,
    );
    if (!weak) throw new Error('nothing was scored');
    const context = { query: plan, scoring: gated.scoring, termText: createTermText() };
    expect(explainResult(weak, context).gate).to.deep.equal({ evidence: 0.5, threshold: 0.8 });
  });
});
