/**
 * Adds up to three of the most important memories with the tags of the caller's profile when the search found no memory
 * that fits the profile. Two round trips, or none when a result already fits.
 */
import type { GraphReader } from '../../../shared/ports/graph.js';
import type { AddCandidates } from '../add-candidates.js';
import type { ScoredCandidate } from '../candidate.js';
import { leadingEvidence } from '../hydrate/evidence.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { fuse } from '../retrieve/fuse.js';
import { trendingHits } from '../retrieve/sources/trending.js';
import type { ScoredSearch } from '../score/score-search.js';
import { selectResults } from './select-results.js';

const SLOTS = 3;
/**
 * Number of memories read when the request has tags as well: a search accepts one tag filter, so the tags of the
 * request are checked after the read.
 */
const SCOPED_POOL = 50;

type Dependencies = { readonly graph: GraphReader; readonly addCandidates: AddCandidates };

/**
 * Returns the scored candidates and the added ones, which obey the filters and states of the request like all others.
 */
export function createInjectPriority({ graph, addCandidates }: Dependencies) {
  return async (
    scored: readonly ScoredCandidate[],
    searches: readonly ScoredSearch[],
    plan: RecallPlan,
  ): Promise<readonly ScoredCandidate[]> => {
    if (!needsInjection(scored, plan)) return scored;
    const known = new Set(scored.map(({ memory }) => memory.id));
    const found = (await profileHits(graph, plan)).filter(({ id }) => !known.has(id));
    const added = await addCandidates(
      {
        candidates: fuse([found]),
        searches,
        choose: (current) => current.slice(0, Math.min(plan.limit, SLOTS)),
      },
      plan,
    );
    return [...scored, ...added.scored];
  };
}

/** Whether the profile has tags, and the search found no fitting memory or missed a memory that the caller named. */
function needsInjection(scored: readonly ScoredCandidate[], plan: RecallPlan): boolean {
  const { profile } = plan;
  if (profile === null || profile.tags.length === 0) return false;
  const found = selectResults(scored, plan).results.filter((result) => !isInjected(result));
  const foundIds = new Set(found.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  return !found.some(({ components }) => components.context > 0) || !profile.ids.every((id) => foundIds.has(id));
}

/** In the sort order of the request. */
function profileHits(graph: GraphReader, plan: RecallPlan) {
  const { filter, limit, profile } = plan;
  const tags = {
    values: profile?.tags ?? [],
    mode: filter.tags?.mode ?? 'any',
    match: filter.tags?.match ?? 'prefix',
  } as const;
  const trending = filter.tags === null ? Math.min(limit, SLOTS) : SCOPED_POOL;
  return trendingHits(
    graph,
    { ...plan, passes: [{ filter: { ...filter, tags }, limits: { vector: 0, keyword: 0, trending } }] },
    'profile',
  );
}

/** Whether the caller's context is the only evidence. */
export function isInjected(candidate: Pick<ScoredCandidate, 'evidence' | 'replaces'>): boolean {
  const evidence = leadingEvidence(candidate);
  return evidence.length > 0 && evidence.every(({ source }) => source === 'priority' || source === 'profile');
}
