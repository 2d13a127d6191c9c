/** Results for the tests of the select and rank stages: plain values with overrides. */
import type { Components, Evidence } from '../../../../query-api/recall/candidate.js';
import type { SelectedResult } from '../../../../query-api/recall/select/select-results.js';
import type { Memory } from '../../../../shared/contract/memory.js';
import { memoryOf } from './memories.js';

export const NO_COMPONENTS: Components = {
  vector: 0,
  keyword: 0,
  metadata: 0,
  relation: 0,
  tag: 0,
  importance: 0,
  confidence: 0,
  recency: 0,
  exact: 0,
  relevance: 0,
  context: 0,
  evidence: 0,
  relevance_gated: false,
};

export function resultOf(number: number, score: number, overrides: Partial<Memory> = {}): SelectedResult {
  return {
    memory: memoryOf(number, overrides),
    position: 0,
    evidence: [],
    replaces: null,
    components: NO_COMPONENTS,
    features: { similarity: 0, words: 0 },
    score,
    dedupedFrom: [],
  };
}

/** Has only a source: the rank stage uses nothing else. */
export function evidenceOf(source: string): Evidence {
  return { source } as Evidence;
}

export function numbersOf(results: readonly SelectedResult[]): readonly number[] {
  return results.map(({ memory }) => Number(memory.id.slice(-12)));
}

/** Noon of a day in January 2024. */
export function january(day: number): string {
  return `2024-01-${String(day).padStart(2, '0')}T12:00:00+00:00`;
}
