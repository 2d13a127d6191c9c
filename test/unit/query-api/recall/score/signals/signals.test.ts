import { expect } from 'chai';
import { queryConfig, type Scoring } from '../../../../../../query-api/config.js';
import { planRecall } from '../../../../../../query-api/recall/plan/plan-recall.js';
import { FITTED } from '../../../../../../query-api/recall/score/fitted-weights.js';
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

function withSignals(request: RecallQuery, memories: readonly [Memory, number][], changed: Partial<Scoring> = {}) {
  const scoring = { ...config.scoring, ...changed };
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
    expect(neighbour?.components.neighbours).to.be.greaterThan(0.5);
    expect(other?.components.neighbours).to.be.lessThan(0.2);
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
    const pool = [1, 2].map((number): [Memory, number] => [said(number, 'violin', { tags: [] }), 0.5]);
    for (const { components } of withSignals({ query: 'violin' }, pool))
      expect(components).to.include({ neighbours: 0, session: 0 });
  });

  it('are absent for a single memory and for a listing', () => {
    const lone = said(1, 'Ann: is this in May?');
    const [alone] = withSignals({ query: 'what did Ann say in May' }, [[lone, 0.5]]);
    expect(alone?.components).to.not.have.any.keys('neighbours', 'session', 'subject', 'date', 'question');
    const [listed] = withSignals({ query: '*' }, [
      [lone, 0.5],
      [said(2, 'Another'), 0.5],
    ]);
    expect(listed?.components).to.not.have.any.keys('neighbours', 'question');
  });

  it('count by their weights; question and verbosity are subtracted', () => {
    const pool: readonly [Memory, number][] = [
      [said(1, 'Ann: did you see the comet?'), 0.5],
      [said(2, 'Bob: yes, the comet'), 0.5],
    ];
    const off = {
      lexical: 0,
      feedback: 0,
      neighbours: 0,
      session: 0,
      subject: 0,
      date: 0,
      role: 0,
      verbosity: 0,
      question: 0,
    };
    const request = { query: 'When in May did Ann see the comet' };
    const [plain] = withSignals(request, pool, { signals: off });
    const [whole] = withSignals(request, pool);
    expect(whole?.components).to.include({ session: 1, subject: 1, date: 1, question: 1 });
    const weight = FITTED.signals;
    const { lexical = 0, neighbours = 0 } = whole?.components ?? {};
    expect((whole?.score ?? 0) - (plain?.score ?? 0)).to.be.closeTo(
      weight.lexical * lexical +
        weight.neighbours * neighbours +
        weight.session +
        weight.subject +
        weight.date -
        weight.question,
      1e-12,
    );
  });

  it('keep the order of long memories with weak matches above 0', () => {
    const long = 'word '.repeat(500);
    const [weaker, stronger] = withSignals(
      { query: 'violin' },
      [
        [said(1, `${long} one`, { importance: 0 }), 0.1],
        [said(2, `${long} two`, { importance: 0 }), 0.2],
      ],
      { weights: { ...config.scoring.weights, recency: 0 } },
    );
    expect(weaker?.score).to.be.greaterThan(0);
    expect(stronger?.score).to.be.greaterThan(weaker?.score ?? 1);
  });

  it('never make a score negative', () => {
    const worthless = { importance: 0, confidence: 0, timestamp: '2020-01-01T00:00:00+00:00', tags: [] };
    const [asking] = withSignals({ query: 'x' }, [
      [said(1, '?', worthless), 0],
      [said(2, 'Nothing', worthless), 0],
    ]);
    expect(asking?.score).to.equal(0);
  });

  it('are all between 0 and 1', () => {
    const pool = Array.from({ length: 20 }, (_, index): [Memory, number] => [
      said(index + 1, index % 2 ? 'Ann: comet' : 'Bob: seen?'),
      (index % 7) / 6,
    ]);
    for (const { components } of withSignals({ query: 'Ann comet May 2024' }, pool)) {
      for (const part of [
        'lexical',
        'feedback',
        'neighbours',
        'session',
        'subject',
        'date',
        'role',
        'verbosity',
        'question',
      ] as const)
        expect(components[part]).to.be.within(0, 1);
    }
  });
});
