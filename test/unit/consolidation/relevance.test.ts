import { expect } from 'chai';
import { firstRelevance, isNoticeable, relevanceOf } from '../../../shared/consolidation/relevance.js';

const RULES = { decayRate: 0.01, importanceFloor: 0.3 };
const NOW = '2026-06-01T00:00:00+00:00';
const daysAgo = (days: number) => new Date(Date.parse(NOW) - days * 86_400_000).toISOString();

describe('relevance', () => {
  // [age, last access, importance, confidence, associations, relevance], measured in AutoMem; times in days
  for (const [age, accessed, importance, confidence, edges, expected] of [
    [0, 0, 0.5, 0.5, 0, 0.51],
    [30, 30, 0.5, 0.5, 0, 0.2311],
    [30, 30, 0.5, 0.5, 4, 0.3426],
    [180, 180, 0.5, 0.9, 0, 0.15],
    [180, 0.5, 0.9, 0.9, 0, 0.27],
    [365, 365, 0.1, 0.5, 0, 0.03],
  ] as const) {
    it(`of a memory of ${age} days, read ${accessed} days ago, with ${edges} associations is ${expected}`, () => {
      const facts = { importance, confidence, edges, timestamp: daysAgo(age), last_accessed: daysAgo(accessed) };
      expect(relevanceOf(facts, NOW, RULES)).to.be.closeTo(expected, 0.00006);
    });
  }

  it('is at most 1, and counts a later timestamp as now', () => {
    const facts = { importance: 1, confidence: 1, edges: 1_000, timestamp: daysAgo(-5), last_accessed: daysAgo(-5) };
    expect(relevanceOf(facts, NOW, RULES)).to.equal(1);
  });

  it('of a new memory is the first relevance', () => {
    expect(firstRelevance({ importance: 0.5, confidence: 0.5 }, RULES)).to.be.closeTo(0.51, 0.0001);
  });

  it('moved noticeably by a step of 0.05, or to the other side of a threshold', () => {
    expect(isNoticeable(0.5, 0.46, [])).to.equal(false);
    expect(isNoticeable(0.5, 0.44, [])).to.equal(true);
    expect(isNoticeable(0.31, 0.29, []), 'a class').to.equal(true);
    expect(isNoticeable(0.26, 0.24, [0.25]), 'a threshold of forgetting').to.equal(true);
  });
});
