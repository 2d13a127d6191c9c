/**
 * The stage that brings in what the caller's context asks for when the search itself found none of it: a few of the most important
 * memories with the profile's tags. Two round trips, none when a would-be result fits the profile already.
 */
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Candidate, Hit, ScoredCandidate } from './candidate.js';
import { isInjected } from './context-priority.js';
import { hydrate } from './hydrate.js';
import type { RecallPlan } from './plan.js';
import { resolveStates } from './resolve-states.js';
import type { Score } from './score.js';
import { select } from './select.js';
import { trendingHits } from './sources/trending.js';

const SLOTS = 3;
/** Looked at where the request has tags of its own: a search takes one tag filter, so those are judged after the read. */
const SCOPED_POOL = 50;

type Dependencies = { readonly graph: GraphReader; readonly score: Score };

/** The memories that the caller named by id. They are hydrated with all other candidates and need no read of their own. */
export function priorityHits({ profile }: Pick<RecallPlan, 'profile'>): readonly Hit[] {
  return (profile?.ids ?? []).map((id) => ({ id, evidence: { source: 'priority' } }));
}

/** The scored candidates with those that were brought in, which keep to the request's filters and states as all do. */
export function createInjectPriority({ graph, score }: Dependencies) {
  return async (scored: readonly ScoredCandidate[], plan: RecallPlan): Promise<readonly ScoredCandidate[]> => {
    if (!isWanting(scored, plan)) return scored;
    const known = new Set(scored.map(({ memory }) => memory.id));
    const found = (await profileHits(graph, plan)).filter(({ id }) => !known.has(id));
    const candidates: readonly Candidate[] = found.map(({ id, evidence }) => ({ id, evidence: [evidence] }));
    const { current } = await resolveStates(graph, await hydrate(graph, candidates, plan), plan);
    return [...scored, ...score(current.slice(0, Math.min(plan.limit, SLOTS)), plan)];
  };
}

/** Whether the profile has tags, and the search found nothing that fits or missed a memory that the caller named. */
function isWanting(scored: readonly ScoredCandidate[], plan: RecallPlan): boolean {
  const { profile } = plan;
  if (profile === null || profile.tags.length === 0) return false;
  const found = select(scored, plan).results.filter((result) => !isInjected(result));
  const foundIds = new Set(found.flatMap(({ memory, dedupedFrom }) => [memory.id, ...dedupedFrom]));
  return !found.some(({ components }) => components.context > 0) || !profile.ids.every((id) => foundIds.has(id));
}

/** In the order that the request sorts by. */
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
