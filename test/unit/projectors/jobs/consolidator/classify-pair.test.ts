import { expect } from 'chai';
import { classifyPair } from '../../../../../projectors/jobs/consolidator/run-creative.js';
import type { Memory } from '../../../../../shared/contract/memory.js';
import { memoryId } from '../../../../support/fixtures/memories.js';

const one = (number: number, type: Memory['type'], day = 1) => ({
  id: memoryId(number),
  type,
  timestamp: `2026-06-${String(day).padStart(2, '0')}T00:00:00+00:00`,
});

describe('classifyPair', () => {
  for (const [first, second, similarity, kind, confidence] of [
    [one(1, 'Decision'), one(2, 'Decision'), 0.29, 'contrasts_with', 0.6],
    [one(1, 'Insight'), one(2, 'Pattern'), 0.51, 'explains', 0.7],
    [one(1, 'Habit'), one(2, 'Style'), 0.71, 'shares_theme', 0.71],
    [one(1, 'Habit', 1), one(2, 'Habit', 7), 0.39, 'parallel_context', 0.5],
    [one(1, 'Habit', 1), one(2, 'Habit', 8), 0.39, null, null],
    [one(1, 'Decision'), one(2, 'Decision'), 0.5, null, null],
    [one(1, 'Habit'), one(2, 'Habit'), 0.9, null, null],
    [one(1, 'Insight'), one(2, 'Pattern'), 0.45, null, null],
  ] as const) {
    it(`finds ${kind ?? 'nothing'} between ${first.type} and ${second.type} at ${similarity}`, () => {
      const found = classifyPair(first, second, similarity);
      expect([found?.kind ?? null, found?.confidence ?? null]).to.deep.equal([kind, confidence]);
      expect(classifyPair(second, first, similarity), 'in either order').to.deep.equal(found);
    });
  }

  it('lets the insight explain the pattern, whichever id comes first', () => {
    const found = classifyPair(one(1, 'Pattern'), one(2, 'Insight'), 0.6);
    expect([found?.source, found?.target]).to.deep.equal([memoryId(2), memoryId(1)]);
  });
});
