/**
 * Turns the memories that an expansion reached into results. The rules of the search apply (filters, states, min_score,
 * equal contents, one place for each source), except tags, which apply on request only. One round trip.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { AddCandidates } from '../add-candidates.js';
import type { Candidate } from '../candidate.js';
import type { Suppression } from '../hydrate/resolve-states.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { sourceKeyOf } from '../plan/source-key.js';
import type { ScoredSearch } from '../score/score-search.js';
import { fingerprintOf } from '../select/near-duplicates.js';
import { type Selected, type SelectedResult, selectResults } from '../select/select-results.js';

/** Candidates hydrated per memory that may be added, because filters and states drop some. */
const OVERFETCH = 4;
/** The most memories that the graph hydrates in one round trip. */
const HYDRATION_LIMIT = 1_000;

export type Reached = {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** The results so far. */
  readonly shown: readonly SelectedResult[];
  readonly searches: readonly ScoredSearch[];
  readonly limit: number;
};

export type Admitted = Selected & { readonly suppressed: readonly Suppression[] };

export type AdmitExpanded = (reached: Reached, plan: RecallPlan) => Promise<Admitted>;

/** Resolves to the added results by descending score. */
export function createAdmitExpanded(addCandidates: AddCandidates): AdmitExpanded {
  return async ({ candidates, shown, searches, limit }, plan) => {
    const hasPlace = createHasPlace(shown, plan);
    const { scored, suppressed } = await addCandidates(
      {
        candidates: candidates.slice(0, Math.min(limit * OVERFETCH, HYDRATION_LIMIT)),
        searches,
        choose: (current) =>
          current.filter(({ memory }) => memory.importance >= plan.expansion.minImportance && !hasPlace(memory)),
      },
      { ...plan, filter: expansionFilter(plan) },
    );
    return { ...selectResults(scored, { ...plan, sort: 'score', limit }), suppressed };
  };
}

/** The filter of the request, without its tags unless the caller wants the expansion to respect them. */
export function expansionFilter({ filter, expansion }: Pick<RecallPlan, 'filter' | 'expansion'>): RecallPlan['filter'] {
  return expansion.respectsTags ? filter : { ...filter, tags: null };
}

/** Whether a memory is a result, was merged into one by id or by content, or is a piece of the source of one. */
function createHasPlace(
  shown: readonly SelectedResult[],
  { distinctBy }: Pick<RecallPlan, 'distinctBy'>,
): (memory: Memory) => boolean {
  const ids = new Set<MemoryId>(shown.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  const contents = new Set(shown.map(({ memory }) => fingerprintOf(memory)));
  const sources = new Set(shown.map(({ memory }) => sourceKeyOf(memory, distinctBy)));
  return (memory) => {
    const [fingerprint, source] = [fingerprintOf(memory), sourceKeyOf(memory, distinctBy)];
    return (
      ids.has(memory.id) ||
      (fingerprint !== null && contents.has(fingerprint)) ||
      (source !== null && sources.has(source))
    );
  };
}
