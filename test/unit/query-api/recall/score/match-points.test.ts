import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { matchPoints } from '../../../../../query-api/recall/score/match-points.js';
import { createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import { candidateOf, memoryOf, NOW, numberedId } from '../memories.js';

const config = queryConfig({}).recall;

function pointsOf(memory: Partial<Memory>): number {
  const request = { query: 'redis cache', priority_ids: [numberedId(1)] };
  const plan = planRecall(request, { config, dimension: 4, now: NOW });
  const content = { content: 'The redis cache is warm', ...memory };
  const candidate = candidateOf(memoryOf(1, content), { source: 'vector', similarity: 0.6 });
  const [scored] = createCandidateScorer(config.scoring)([candidate], plan);
  return scored ? matchPoints(scored.components, config.scoring.weights) : NaN;
}

describe('match points', () => {
  it('are the score of the vector and the words', () => {
    const { vector, keyword } = config.scoring.weights;
    expect(pointsOf({})).to.be.closeTo(0.6 * vector + keyword, 1e-12);
  });

  it('do not depend on importance, confidence, age, relevance or context', () => {
    const other = { importance: 1, confidence: 1, timestamp: '2020-01-01T00:00:00+00:00', relevance_score: 0.9 };
    expect(pointsOf(other)).to.be.closeTo(pointsOf({ importance: 0, confidence: 0 }), 1e-12);
  });
});
