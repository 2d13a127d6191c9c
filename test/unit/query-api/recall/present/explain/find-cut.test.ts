import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import type { ScoredCandidate } from '../../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { failedRules, findCut } from '../../../../../../query-api/recall/present/explain/find-cut.js';
import { createCandidateScorer } from '../../../../../../query-api/recall/score/score-candidates.js';
import type { Memory } from '../../../../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../../../../shared/contract/queries/recall-query.js';
import { candidateOf, memoryOf, NOW, numberedId } from '../../memories.js';

const { recall: config } = queryConfig({});

/** Memories 1, 2 and 3, each with less importance than the one before, and 4 with the content of 1. */
function cutOf(number: number, query: RecallQuery) {
  const plan = planRecall(query, { config, dimension: 4, now: NOW });
  const memories = [
    memoryOf(1, { importance: 0.9 }),
    memoryOf(2, { importance: 0.5 }),
    memoryOf(3, { importance: 0.1 }),
    memoryOf(4, { importance: 0.2, content: 'memory number 1!' }),
  ];
  const scored = createCandidateScorer(config.scoring)(
    memories.map((memory) => candidateOf(memory, { source: 'trending' })),
    plan,
  );
  return { cut: findCut(numberedId(number), { plan, pool: scored, suppressed: [] }), scored };
}

function scoreOf(number: number, scored: readonly ScoredCandidate[]): number | undefined {
  return scored.find(({ memory }) => memory.id === numberedId(number))?.score;
}

describe('the cut of a memory', () => {
  it('is the limit, with the position and the needed score', () => {
    const { cut, scored } = cutOf(3, { limit: 2 });
    expect(cut).to.deep.equal({
      at: 'limit',
      position: 3,
      limit: 2,
      score: scoreOf(3, scored),
      needed: scoreOf(2, scored),
    });
  });

  it('is the limit without a needed score in an order by time', () => {
    expect(cutOf(3, { limit: 1, sort: 'time_desc' }).cut)
      .to.include({ at: 'limit', position: 3 })
      .and.not.have.property('needed');
  });

  it('is min_score', () => {
    const { cut, scored } = cutOf(3, { limit: 2, min_score: 0.4 });
    expect(cut).to.deep.equal({ at: 'min_score', score: scoreOf(3, scored), needed: 0.4 });
  });

  it('is the duplicate that it was merged into', () => {
    expect(cutOf(4, {}).cut).to.deep.equal({ at: 'duplicate', of: numberedId(1) });
  });

  describe('with pieces of one source', () => {
    const plan = planRecall({ query: 'memory', limit: 1 }, { config, dimension: 4, now: NOW });
    const metadata = { source_id: 'a' };
    const pool = createCandidateScorer(config.scoring)(
      [
        memoryOf(1, { importance: 0.9, metadata }),
        memoryOf(2, { importance: 0.5, metadata }),
        memoryOf(3, { importance: 0.4, content: 'memory number 2!' }),
      ].map((memory) => candidateOf(memory, { source: 'vector', similarity: 0.5 })),
      plan,
    );
    const cut = (number: number) => findCut(numberedId(number), { plan, pool, suppressed: [] });

    it('is the source and its representative', () => {
      expect(cut(2)).to.deep.equal({ at: 'source', of: numberedId(1) });
    });

    it('is the duplicate for one merged into a piece', () => {
      expect(cut(3)).to.deep.equal({ at: 'duplicate', of: numberedId(2) });
    });
  });

  it('is a later stage when the selection keeps the memory', () => {
    expect(cutOf(2, { limit: 2 }).cut).to.include({ at: 'after_selection' });
  });

  it('is the state, with the successor', () => {
    const plan = planRecall({}, { config, dimension: 4, now: NOW });
    const suppressed = [
      { id: numberedId(1), reason: 'superseded', replacement_id: numberedId(2), relation_type: 'EVOLVED_INTO' },
    ] as const;
    expect(findCut(numberedId(1), { plan, pool: [], suppressed })).to.deep.equal({
      at: 'state',
      reason: 'superseded',
      successor: numberedId(2),
      relation_type: 'EVOLVED_INTO',
    });
  });

  it('is null for a memory that no stage had', () => {
    expect(cutOf(9, {}).cut).to.equal(null);
  });
});

describe('the failed rules of a filter', () => {
  const failed = (query: RecallQuery, memory: Partial<Memory>) =>
    failedRules(planRecall(query, { config, dimension: 4, now: NOW }).filter, memoryOf(1, memory));

  it('are empty for a memory that matches', () => expect(failed({ tags: ['a'] }, { tags: ['a'] })).to.deep.equal([]));

  it('are all listed', () => {
    expect(
      failed({ tags: ['a'], exclude_tags: ['b'], end: '2024-01-01' }, { tags: ['b'], type: 'MetaPattern' }),
    ).to.deep.equal(['type', 'time_window', 'tags', 'exclude_tags']);
  });

  it('include archived in history mode only', () => {
    expect(failed({ state_mode: 'history' }, { archived: true })).to.deep.equal(['archived']);
    expect(failed({}, { archived: true })).to.deep.equal([]);
  });
});
