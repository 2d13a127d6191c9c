import { expect } from 'chai';
import { queryConfig } from '../../../../../../query-api/config.js';
import type { ScoredCandidate } from '../../../../../../query-api/recall/candidate.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { createCandidateScorer } from '../../../../../../query-api/recall/score/score-candidates.js';
import { createSignals } from '../../../../../../query-api/recall/score/signals/signals.js';
import type { Memory } from '../../../../../../shared/contract/memory.js';
import type { RecallQuery } from '../../../../../../shared/contract/queries/recall-query.js';
import { candidateOf, memoryOf, NOW } from '../../memories.js';

const similar = (similarity: number) => ({ source: 'vector', similarity }) as const;
const minute = (count: number): string => `2024-05-01T12:${String(count).padStart(2, '0')}:00+00:00`;
const said = (number: number, content: string, fields: Partial<Memory> = {}): Memory =>
  memoryOf(number, { content, tags: ['session:1'], timestamp: minute(number), ...fields });

const config = queryConfig({}).recall;

function withSignals(request: RecallQuery, memories: readonly [Memory, number][]): readonly ScoredCandidate[] {
  const { scoring } = config;
  const plan = planRecall(request, { config, dimension: 4, now: NOW });
  const candidates = memories.map(([memory, similarity]) => candidateOf(memory, similar(similarity)));
  return createSignals(scoring)(createCandidateScorer(scoring)(candidates, plan), plan);
}

describe('signals', () => {
  it('raise a neighbour of a match above a memory of another session', () => {
    const [, neighbour, other] = withSignals({ query: 'violin lessons' }, [
      [said(1, 'I take violin lessons'), 0.8],
      [said(2, 'Since last spring'), 0.2],
      [said(3, 'Something else', { tags: ['session:2'] }), 0.2],
    ]);
    expect(neighbour?.features.neighbours).to.be.greaterThan(0.5);
    expect(other?.features.neighbours).to.be.lessThan(0.2);
    expect(neighbour?.score).to.be.greaterThan(other?.score ?? 1);
  });

  it('keep the match above its neighbour', () => {
    const [match, neighbour] = withSignals({ query: 'PAY-1234' }, [
      [said(1, 'Closed PAY-1234', { importance: 0 }), 0.1],
      [said(2, 'Thanks!', { importance: 1 }), 0.3],
    ]);
    expect(match?.score).to.be.greaterThan(neighbour?.score ?? 1);
  });

  it('are 0 for neighbours and session when every session has one memory', () => {
    const pool = [1, 2].map((number): [Memory, number] => [
      said(number, 'violin', { tags: [`thread/${number}`] }),
      0.5,
    ]);
    for (const { features } of withSignals({ query: 'violin' }, pool))
      expect(features).to.include({ neighbours: 0, session: 0 });
  });

  it('are absent for a single memory, a listing and a query by vector alone', () => {
    const lone = said(1, 'Ann: is this in May?');
    const [alone] = withSignals({ query: 'what did Ann say in May' }, [[lone, 0.5]]);
    expect(alone?.features).to.not.have.any.keys('neighbours', 'session', 'subject', 'date', 'question');
    const [listed] = withSignals({ query: '*' }, [
      [lone, 0.5],
      [said(2, 'Another'), 0.5],
    ]);
    expect(listed?.features).to.not.have.any.keys('neighbours', 'question');
    const [byVector] = withSignals({ embedding: new Float32Array([1, 0, 0, 0]) }, [
      [said(1, 'Since spring'), 0.9],
      [said(2, 'Another'), 0.5],
    ]);
    expect(byVector?.features).to.not.have.any.keys('neighbours', 'question');
    expect(byVector?.components.vector).to.equal(0.9);
  });

  it('raise both components, or lower them for a question', () => {
    const [asking, answering] = withSignals({ query: 'When in May did Ann see the comet' }, [
      [said(1, 'Ann: did you see the comet?'), 0.5],
      [said(2, 'Ann: I saw the comet today'), 0.5],
    ]);
    expect(asking?.features).to.include({ session: 1, subject: 1, date: 1, question: 1 });
    expect(answering?.features).to.include({ session: 1, subject: 1, date: 1, question: 0 });
    expect(asking?.components.vector).to.be.lessThan(answering?.components.vector ?? 0);
  });

  it('leave a memory without anything in common at 0', () => {
    const [match, nextTo] = withSignals({ query: 'violin lessons' }, [
      [said(1, 'I take violin lessons'), 0.8],
      [said(2, 'Since last spring'), 0],
    ]);
    expect(match?.components.keyword).to.be.greaterThan(0.9);
    expect(nextTo?.features.neighbours).to.equal(1);
    expect(nextTo?.components).to.include({ vector: 0, keyword: 0 });
  });

  it('have the standing of the cosine among those of the pool', () => {
    const pool: readonly [Memory, number][] = [0.2, 0.4, 0.6, 0].map((similarity, index) => [
      said(index + 1, 'Tea'),
      similarity,
    ]);
    const standings = withSignals({ query: 'violin' }, pool).map(({ features }) => features.standing ?? NaN);
    // Five cosines of 0.2 are added to the three known ones, and 0.1 to their deviation.
    const mean = (0.2 + 0.4 + 0.6 + 5 * 0.2) / 8;
    const variance = (6 * (0.2 - mean) ** 2 + (0.4 - mean) ** 2 + (0.6 - mean) ** 2) / 8;
    const deviation = Math.hypot(Math.sqrt(variance), 0.1);
    for (const [index, cosine] of [0.2, 0.4, 0.6].entries())
      expect(standings[index]).to.be.closeTo((cosine - mean) / deviation, 1e-9);
    expect(standings[3]).to.equal(0);
  });

  it('are all between 0 and 1', () => {
    const pool = Array.from({ length: 20 }, (_, index): [Memory, number] => [
      said(index + 1, index % 2 ? 'Ann: comet' : 'Bob: seen?'),
      (index % 7) / 6,
    ]);
    for (const { components, features } of withSignals({ query: 'Ann comet May 2024' }, pool)) {
      for (const part of ['vector', 'keyword'] as const) expect(components[part]).to.be.within(0, 1);
      for (const part of [
        'lexical',
        'neighbours',
        'session',
        'subject',
        'date',
        'role',
        'verbosity',
        'question',
      ] as const)
        expect(features[part]).to.be.within(0, 1);
    }
  });
});
