/**
 * The part that all expansions share: from the ids that one reached to results. Everything that holds for what was found holds here
 * too (filters, states, min_score, equal contents), but tags only on demand. One round trip.
 */
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Candidate, HydratedCandidate, ScoredCandidate } from './candidate.js';
import { contentFingerprint } from './fingerprint.js';
import { hydrate } from './hydrate.js';
import type { RecallPlan } from './plan.js';
import { resolveStates, type Suppression } from './resolve-states.js';
import type { Score } from './score.js';
import { select, type Selected, type SelectedResult } from './select.js';

/** What is looked at beyond what may be added, as filters and states drop some. */
const OVERFETCH = 4;
/** The most that the graph hydrates in one round trip. */
const HYDRATION_LIMIT = 1_000;

export type Reached = {
  /** Best first. */
  readonly candidates: readonly Candidate[];
  /** What the answer shows already. */
  readonly shown: readonly SelectedResult[];
  /** What the search found: words are as rare as they are there, and what it knows of a memory that is reached counts. */
  readonly pool: readonly HydratedCandidate[];
  readonly limit: number;
};

export type Admitted = Selected & { readonly suppressed: readonly Suppression[] };

export type AdmitExpanded = (reached: Reached, plan: RecallPlan) => Promise<Admitted>;

/** The results by descending score. */
export function createAdmitExpanded({
  graph,
  score,
}: {
  readonly graph: GraphReader;
  readonly score: Score;
}): AdmitExpanded {
  return async ({ candidates, shown, pool, limit }, plan) => {
    const scoped: RecallPlan = { ...plan, filter: expansionFilter(plan) };
    const wanted = candidates.slice(0, Math.min(limit * OVERFETCH, HYDRATION_LIMIT));
    const hydrated = await hydrate(graph, withPoolEvidence(wanted, pool), scoped);
    const { current, suppressed } = await resolveStates(graph, hydrated, scoped);
    const isShown = shownAlready(shown);
    const added = current.filter(({ memory }) => memory.importance >= plan.expansion.minImportance && !isShown(memory));
    const scored = scoreBeside(pool, added, (candidates) => score(candidates, plan));
    return { ...select(scored, { ...plan, sort: 'score', limit }), suppressed };
  };
}

/** As one pool, in which no memory stands twice: it would count for its own surroundings. */
function scoreBeside(
  pool: Reached['pool'],
  added: Reached['pool'],
  scoreAll: (candidates: Reached['pool']) => readonly ScoredCandidate[],
) {
  const addedIds = new Set(added.map(({ memory }) => memory.id));
  const beside = pool.filter(({ memory }) => !addedIds.has(memory.id));
  return scoreAll([...beside, ...added]).slice(beside.length);
}

/** The request's own filters, but for its tags where they were not asked to hold. */
export function expansionFilter({ filter, expansion }: Pick<RecallPlan, 'filter' | 'expansion'>): RecallPlan['filter'] {
  return expansion.respectsTags ? filter : { ...filter, tags: null };
}

function withPoolEvidence(candidates: readonly Candidate[], pool: readonly HydratedCandidate[]): readonly Candidate[] {
  const found = new Map(
    pool.flatMap(({ memory, evidence, replaces }) => (replaces === null ? [[memory.id, evidence] as const] : [])),
  );
  return candidates.map(({ id, evidence }) => ({ id, evidence: [...evidence, ...(found.get(id) ?? [])] }));
}

/** Nothing comes back that was merged into a result, by id or by content. */
function shownAlready(shown: readonly SelectedResult[]): (memory: Memory) => boolean {
  const ids = new Set<MemoryId>(shown.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  const contents = new Set(shown.map(({ memory }) => contentFingerprint(memory.content)));
  return ({ id, content }) => {
    const fingerprint = contentFingerprint(content);
    return ids.has(id) || (fingerprint !== null && contents.has(fingerprint));
  };
}
