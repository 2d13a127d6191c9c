import { expect } from 'chai';
import { decideForgetting } from '../../../../../projectors/jobs/consolidator/run-forget.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import { memory } from '../../../../support/fixtures/memories.js';

const NOW = '2026-06-01T00:00:00+00:00';
const RULES = {
  archiveBelow: 0.2,
  deleteBelow: 0.1,
  graceDays: 90,
  importantFrom: 0.7,
  protectedTypes: new Set(['Decision']),
};
const OLD: Partial<Memory> = { timestamp: '2025-01-01T00:00:00+00:00', importance: 0.3, type: 'Context' };
const decide = (relevance: number, changes: Partial<Memory> = {}, rules = RULES) =>
  decideForgetting({ memory: { ...memory(1), ...OLD, ...changes }, relevance }, NOW, rules);

describe('decideForgetting', () => {
  it('archives below one threshold and deletes below the other', () => {
    expect([decide(0.2), decide(0.19), decide(0.09)].map((verdict) => verdict?.action)).to.deep.equal([
      undefined,
      'archive',
      'delete',
    ]);
  });

  it('does nothing with the default thresholds', () => {
    expect(decide(0, {}, { ...RULES, archiveBelow: 0, deleteBelow: 0 })).to.equal(null);
  });

  for (const [name, changes] of [
    ['a protected memory', { protected: true, protected_reason: 'Ours' }],
    ['an important memory', { importance: 0.7 }],
    ['a young memory', { timestamp: '2026-03-04T00:00:00+00:00' }],
    ['a memory of a protected type', { type: 'Decision' }],
  ] as const) {
    it(`protects ${name}, and says why`, () => {
      expect(decide(0.01, changes)?.protection).to.be.a('string').with.length.above(3);
      expect(decide(0.01)?.protection).to.equal(null);
    });
  }
});
