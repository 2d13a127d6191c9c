/**
 * Finds out why a memory that a recall had is not among its results, pure: repeats the decisions of the stages with
 * their data. A memory that the recall never had is explained by `explain-memory.ts`, which reads it first.
 */
import { type MemoryFilter, NO_CONDITIONS } from '../../../../shared/contract/filter.js';
import type { Memory, MemoryId } from '../../../../shared/contract/memory.js';
import type { ScoredCandidate } from '../../candidate.js';
import { matchesFilter } from '../../hydrate/filter-match.js';
import type { Suppression } from '../../hydrate/resolve-states.js';
import type { SuppressionReason } from '../../hydrate/state.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { type SelectedResult, selectResults } from '../../select/select-results.js';

/** The stage that dropped a memory, in the order of the stages. */
export type Cut =
  | { readonly at: 'absent' }
  | { readonly at: 'filter'; readonly rules: readonly FilterRule[] }
  | {
      readonly at: 'state';
      readonly reason: SuppressionReason;
      readonly successor?: string;
      readonly relation_type?: string;
    }
  /** No source found it; `found` is the number of hits per source. */
  | { readonly at: 'retrieval'; readonly found: Readonly<Record<string, number>> }
  | { readonly at: 'min_score'; readonly score: number; readonly needed: number }
  | { readonly at: 'min_probability'; readonly score: number; readonly probability: number; readonly needed: number }
  | { readonly at: 'duplicate'; readonly of: MemoryId }
  /** A better memory of the same source, `of`, represents it; the limit may cut that one. */
  | { readonly at: 'source'; readonly of: MemoryId }
  /** `needed` is the score of the last result within the limit; only in an order by score. */
  | {
      readonly at: 'limit';
      readonly position: number;
      readonly limit: number;
      readonly score: number;
      readonly needed?: number;
    }
  /** It was selected, and the rank stage dropped it by the adaptive floor or the budget. */
  | { readonly at: 'after_selection'; readonly score: number };

export type CutTrace = {
  readonly plan: RecallPlan;
  readonly suppressed: readonly Suppression[];
  readonly pool: readonly ScoredCandidate[];
};

/** Null when no stage that had the memory dropped it. */
export function findCut(id: MemoryId, { plan, suppressed, pool: scored }: CutTrace): Cut | null {
  const suppression = suppressed.find((one) => one.id === id);
  if (suppression) return stateCut(suppression);
  const found = scored.filter(({ memory }) => memory.id === id);
  if (found.length === 0) return null;
  const score = Math.max(...found.map((candidate) => candidate.score));
  if (score < plan.minScore) return { at: 'min_score', score, needed: plan.minScore };
  const probability = Math.max(...found.map(({ match }) => match?.probability ?? 1));
  if (probability < plan.minProbability)
    return { at: 'min_probability', score, probability, needed: plan.minProbability };
  // Selects again without a limit, to find the position of the memory.
  const all = selectResults(scored, { ...plan, limit: scored.length }).results;
  const position = all.findIndex(({ memory }) => memory.id === id) + 1;
  if (position === 0) return duplicateCut(id, all) ?? sourceCut(id, all) ?? { at: 'after_selection', score };
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

/** The memory that it was merged into may itself be represented by another memory of its source. */
function duplicateCut(id: MemoryId, all: readonly SelectedResult[]): Cut | null {
  const other = all
    .flatMap((result) => [result, ...(result.sourcePieces ?? [])])
    .find(({ memory, dedupedFrom }) => memory.id !== id && dedupedFrom.includes(id));
  return other ? { at: 'duplicate', of: other.memory.id } : null;
}

function sourceCut(id: MemoryId, all: readonly SelectedResult[]): Cut | null {
  const other = all.find(({ sourcePieces = [] }) => sourcePieces.some(({ memory }) => memory.id === id));
  return other ? { at: 'source', of: other.memory.id } : null;
}

export type FilterRule = 'type' | 'time_window' | 'tags' | 'exclude_tags' | 'archived';

/** The parts of a filter that reject a memory; each part is checked on its own with `matchesFilter`. */
export function failedRules(filter: MemoryFilter, memory: Memory): readonly FilterRule[] {
  const open: MemoryFilter = {
    ...NO_CONDITIONS,
    excludedTypes: [],
    state: 'current',
    now: filter.now,
  };
  const rules: Readonly<Record<FilterRule, Partial<MemoryFilter>>> = {
    type: { excludedTypes: filter.excludedTypes },
    time_window: { start: filter.start, end: filter.end },
    tags: { tags: filter.tags },
    exclude_tags: { excludeTags: filter.excludeTags },
    archived: { state: filter.state },
  };
  return (Object.keys(rules) as FilterRule[]).filter((rule) => !matchesFilter({ ...open, ...rules[rule] }, memory));
}
