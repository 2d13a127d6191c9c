/**
 * Turns the memories that an expansion reached into results. The rules of the search apply (filters, states, min_score,
 * equal contents, one place for each source), except tags, which apply on request only. One round trip.
 */
import type { Memory, MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/graph/graph.js';
import type { Candidate, HydratedCandidate, ScoredCandidate } from '../candidate.js';
import { hydrateCandidates } from '../hydrate/hydrate.js';
import type { Suppression } from '../hydrate/resolve-states.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { sourceKeyOf } from '../plan/source-key.js';
import type { ScoreCandidates } from '../score/score-candidates.js';
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
  /**
   * The candidates of the search: the rarity of words is theirs, and a reached memory keeps the evidence that it has
   * there.
   */
  readonly pool: readonly HydratedCandidate[];
  readonly limit: number;
};

export type Admitted = Selected & { readonly suppressed: readonly Suppression[] };

export type AdmitExpanded = (reached: Reached, plan: RecallPlan) => Promise<Admitted>;

/** Resolves to the added results by descending score. */
export function createAdmitExpanded({
  graph,
  score,
}: {
  readonly graph: GraphReader;
  readonly score: ScoreCandidates;
}): AdmitExpanded {
  return async ({ candidates, shown, pool, limit }, plan) => {
    const scoped: RecallPlan = { ...plan, filter: expansionFilter(plan) };
    const wanted = candidates.slice(0, Math.min(limit * OVERFETCH, HYDRATION_LIMIT));
    const { current, suppressed } = await hydrateCandidates(graph, wanted, scoped);
    const hasPlace = createHasPlace(shown, plan);
    const added = withPoolEvidence(current, pool).filter(
      ({ memory }) => memory.importance >= plan.expansion.minImportance && !hasPlace(memory),
    );
    const scored = scoreWithPool(pool, added, (candidates) => score(candidates, plan));
    return { ...selectResults(scored, { ...plan, sort: 'score', limit }), suppressed };
  };
}

/**
 * Scores the added memories in one pool with the others. No memory is in the pool twice, because then it would count
 * towards its own rarity.
 */
function scoreWithPool(
  pool: Reached['pool'],
  added: Reached['pool'],
  scoreAll: (candidates: Reached['pool']) => readonly ScoredCandidate[],
) {
  const addedIds = new Set(added.map(({ memory }) => memory.id));
  const others = pool.filter(({ memory }) => !addedIds.has(memory.id));
  return scoreAll([...others, ...added]).slice(others.length);
}

/** The filter of the request, without its tags unless the caller wants the expansion to respect them. */
export function expansionFilter({ filter, expansion }: Pick<RecallPlan, 'filter' | 'expansion'>): RecallPlan['filter'] {
  return expansion.respectsTags ? filter : { ...filter, tags: null };
}

function withPoolEvidence(added: Reached['pool'], pool: Reached['pool']): Reached['pool'] {
  const found = new Map(pool.map(({ memory, evidence }) => [memory.id, evidence]));
  return added.map((candidate) => ({
    ...candidate,
    evidence: [...candidate.evidence, ...(found.get(candidate.memory.id) ?? [])],
  }));
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
