/**
 * Why a memory that a recall knew is not among its results, pure: retraces the stages with what they left behind. What the recall never
 * saw is judged by `explain-memory.ts`, which has to read it first.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { ScoredCandidate } from '../candidate.js';
import type { RecallPlan } from '../plan.js';
import type { Suppression } from '../resolve-states.js';
import { select, type SelectedResult } from '../select.js';
import type { SuppressionReason } from '../state.js';
import type { FilterRule } from './failed-rules.js';

/** Where a memory was left behind, in the order of the stages. */
export type Cut =
  | { readonly at: 'absent' }
  | { readonly at: 'filter'; readonly rules: readonly FilterRule[] }
  | {
      readonly at: 'state';
      readonly reason: SuppressionReason;
      readonly successor?: string;
      readonly relation_type?: string;
    }
  /** No source listed it; `found` says how many hits each of them had. */
  | { readonly at: 'retrieval'; readonly found: Readonly<Record<string, number>> }
  | { readonly at: 'min_score'; readonly score: number; readonly needed: number }
  | { readonly at: 'duplicate'; readonly of: MemoryId }
  /** `needed` is the score of the last one within the limit; only where the score decides the order. */
  | {
      readonly at: 'limit';
      readonly position: number;
      readonly limit: number;
      readonly score: number;
      readonly needed?: number;
    }
  /** It was selected, and a stage after that left it out: the adaptive floor or the budget. */
  | { readonly at: 'after_selection'; readonly score: number };

export type Known = {
  readonly plan: RecallPlan;
  readonly suppressed: readonly Suppression[];
  readonly scored: readonly ScoredCandidate[];
};

/** Null when no stage that knew the memory dropped it. */
export function findCut(id: MemoryId, { plan, suppressed, scored }: Known): Cut | null {
  const suppression = suppressed.find((one) => one.id === id);
  if (suppression) return stateCut(suppression);
  const scores = scored.filter(({ memory }) => memory.id === id).map(({ score }) => score);
  if (scores.length === 0) return null;
  const score = Math.max(...scores);
  if (score < plan.minScore) return { at: 'min_score', score, needed: plan.minScore };
  // The same choice once more, for as many as there are: where would it have stood?
  const all = select(scored, { ...plan, limit: scored.length }).results;
  const position = all.findIndex(({ memory }) => memory.id === id) + 1;
  if (position === 0) return duplicateCut(id, all) ?? { at: 'after_selection', score };
  if (position <= plan.limit) return { at: 'after_selection', score };
  const last = all[plan.limit - 1];
  return {
    at: 'limit',
    position,
    limit: plan.limit,
    score,
    ...(plan.sort === 'score' && last ? { needed: last.score } : {}),
  };
}

function stateCut({ reason, replacement_id, relation_type }: Suppression): Cut {
  return {
    at: 'state',
    reason,
    ...(replacement_id === undefined ? {} : { successor: replacement_id }),
    ...(relation_type === undefined ? {} : { relation_type }),
  };
}

function duplicateCut(id: MemoryId, all: readonly SelectedResult[]): Cut | null {
  const other = all.find(({ dedupedFrom }) => dedupedFrom.includes(id));
  return other ? { at: 'duplicate', of: other.memory.id } : null;
}
