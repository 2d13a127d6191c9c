import { expect } from 'chai';
import { queryConfig } from '../../../../../query-api/config.js';
import type { HydratedCandidate } from '../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../query-api/recall/plan/plan-recall.js';
import { weightedSum } from '../../../../../query-api/recall/score/match-points.js';
import { componentsOf, createCandidateScorer } from '../../../../../query-api/recall/score/score-candidates.js';
import { candidateOf, memoryOf, NOW, numberedId } from '../memories.js';

const config = queryConfig({}).recall;
const asking = (query: string) => planRecall({ query }, { config, dimension: 4, now: NOW });
const one = (candidate: HydratedCandidate, query: string, environment: Record<string, string> = {}) => {
  const [scored] = createCandidateScorer(queryConfig(environment).recall.scoring)([candidate], asking(query));
  if (!scored) throw new Error('one candidate gives one score');
  return scored;
};
const similar = (similarity: number) => ({ source: 'vector', similarity }) as const;

describe('the score', () => {
  it("is 0.91 for the contract's first example", () => {
    const memory = memoryOf(1, { content: 'Redis cache layer', tags: ['redis', 'infra:cache'] });
    const { components, score: total } = one(candidateOf(memory, similar(0.8)), 'redis cache');
    expect(components).to.include({
      vector: 0.8,
      keyword: 1,
      tag: 0.5,
      importance: 0.5,
      confidence: 0.6,
      recency: 1,
      exact: 0,
      evidence: 1,
    });
    expect(total).to.be.closeTo(0.91, 1e-12);
  });

  it("is 0.755 for the contract's second example", () => {
    const memory = memoryOf(1, { content: 'Redis', metadata: { title: 'Redis cache' } });
    const input = {
      query: asking('redis cache'),
      match: { similarity: 0, words: 0.5 },
      metadata: 0,
      scoring: config.scoring,
    };
    const components = componentsOf(candidateOf(memory, { source: 'keyword' }), input);
    expect(components).to.include({ vector: 0, keyword: 0.5, tag: 1, exact: 1 });
    expect(weightedSum(components, config.scoring.weights)).to.be.closeTo(0.755, 1e-12);
  });

  it('counts a metadata match only when the metadata source found the memory', () => {
    const memory = memoryOf(1, { metadata: { provider: 'railway' } });
    const admitted = one(candidateOf(memory, { source: 'metadata' }), 'deployment railway');
    expect(admitted.components).to.deep.include({ metadata: 0.85, keyword: 0, evidence: 0.85 });
    expect(one(candidateOf(memory, similar(0)), 'deployment railway').components.metadata).to.equal(0);
    const { metadata, ...others } = config.scoring.weights;
    expect(admitted.score - weightedSum(admitted.components, { ...others, metadata: 0 })).to.be.closeTo(
      metadata * 0.85,
      1e-12,
    );
  });

  it('clamps the cosine to 0 and 1', () => {
    expect(one(candidateOf(memoryOf(1), similar(-0.4)), 'x').components.vector).to.equal(0);
    expect(one(candidateOf(memoryOf(1), similar(1.0000001)), 'x').components.vector).to.equal(1);
  });

  it('uses the configured weights', () => {
    const { components, score: total } = one(candidateOf(memoryOf(1), similar(0.5)), 'x', {
      SEARCH_WEIGHT_VECTOR: '2',
      SEARCH_WEIGHT_KEYWORD: '0',
      SEARCH_WEIGHT_IMPORTANCE: '0',
      SEARCH_WEIGHT_CONFIDENCE: '0',
      SEARCH_WEIGHT_RECENCY: '0',
    });
    expect(components.vector).to.equal(0.5);
    expect(total).to.equal(1);
  });

  it('uses the importance of a listed memory as its keyword match', () => {
    const listed = candidateOf(memoryOf(1, { importance: 0.9 }), { source: 'trending' });
    const match = { similarity: 0, words: 0 };
    const input = { query: asking('*'), match, metadata: 0, scoring: config.scoring };
    expect(componentsOf(listed, input)).to.include({ keyword: 0.9, tag: 0, exact: 0 });
  });

  it('counts the associations that led to a memory, at most 1', () => {
    const led = (strength: number, importance: number) =>
      ({
        source: 'relation',
        type: 'LEADS_TO',
        strength,
        seed: { id: numberedId(9), importance, score: 0.5, rank: 0 },
      }) as const;
    expect(one(candidateOf(memoryOf(1), led(0.5, 0.8)), 'x').components.relation).to.equal(0.4);
    const { components, score: total } = one(candidateOf(memoryOf(1), led(0.9, 1), led(0.9, 1)), 'x');
    expect(components).to.include({ relation: 1, evidence: 0 });
    expect(total - one(candidateOf(memoryOf(1)), 'x').score).to.be.closeTo(0.25, 1e-12);
  });

  it('adds 0.15 to a memory that an entity led to', () => {
    const { components, score: total } = one(candidateOf(memoryOf(1), { source: 'entity', entity: 'ann' }), 'x');
    expect(components.entity_expansion).to.equal(0.15);
    expect(total - one(candidateOf(memoryOf(1)), 'x').score).to.be.closeTo(0.15, 1e-12);
  });

  it('matches whole tags and words of metadata, but not extracted entities', () => {
    const memory = memoryOf(1, {
      tags: ['Redis'],
      metadata: { deep: [{ note: 'about Caching' }], entities: { tools: ['postgres'] } },
    });
    expect(one(candidateOf(memory), 'redis caching').components.tag).to.equal(1);
    expect(one(candidateOf(memory), 'postgres').components.tag).to.equal(0);
  });

  it('limits the dilution of tags by a long query with a cap', () => {
    const memory = memoryOf(1, { tags: ['redis'] });
    expect(one(candidateOf(memory), 'redis alpha beta gamma').components.tag).to.equal(0.25);
    expect(
      one(candidateOf(memory), 'redis alpha beta gamma', { SEARCH_TAG_SCORE_TOKEN_CAP: '2' }).components.tag,
    ).to.equal(0.5);
  });

  describe('recency', () => {
    const recency = (timestamp: string, environment: Record<string, string> = {}): number =>
      one(candidateOf(memoryOf(1, { timestamp })), 'x', environment).components.recency;
    it('falls to 0 within 180 days', () => {
      expect(recency('2024-03-14T15:30:00+00:00')).to.equal(0.5);
      expect(recency('2023-01-01T00:00:00+00:00')).to.equal(0);
      expect(recency('2030-01-01T00:00:00+00:00')).to.equal(1);
    });
    it('halves per window on the exponential curve', () => {
      expect(
        recency('2024-06-02T15:30:00+00:00', { SEARCH_RECENCY_CURVE: 'exp', SEARCH_RECENCY_WINDOW_DAYS: '10' }),
      ).to.equal(0.5);
    });
    it('uses 180 days for an invalid window', () => {
      expect(recency('2024-03-14T15:30:00+00:00', { SEARCH_RECENCY_WINDOW_DAYS: '-1' })).to.equal(0.5);
    });
  });

  describe('the relevance gate', () => {
    const gated = { RECALL_RELEVANCE_GATE: '0.4' };
    it('reduces the components that are not evidence', () => {
      const { components } = one(candidateOf(memoryOf(1), similar(0.2)), 'something', gated);
      expect(components).to.include({
        relevance_gated: true,
        importance: 0.25,
        confidence: 0.3,
        recency: 0.5,
        vector: 0.2,
      });
    });
    it('does not apply to strong matches and listings', () => {
      expect(one(candidateOf(memoryOf(1), similar(0.4)), 'something', gated).components).to.include({
        relevance_gated: false,
        importance: 0.5,
      });
      expect(one(candidateOf(memoryOf(1), { source: 'trending' }), '*', gated).components.relevance_gated).to.equal(
        false,
      );
    });
  });
});
