/** The last stage, pure: the reply in the contract's words. */
import type { MemoryId } from '../../shared/contract/memory.js';
import type { Relation } from '../../shared/graph/graph.js';
import { relationReply } from '../relation-reply.js';
import { contextPriority } from './context-priority.js';
import type { Degraded, Hit, ScoredCandidate, SourceName } from './candidate.js';
import { endingReply, type Ending } from './ending-reply.js';
import { isExpanded } from './expanded.js';
import type { Expansion } from './expand.js';
import { matchOf } from './match-of.js';
import type { RecallPlan } from './plan.js';
import type { Search } from './plan-searches.js';
import { followedRelations, presentExpansion, presentOrigin } from './present-expansion.js';
import type { Suppression } from './resolve-states.js';
import type { Selected, SelectedResult } from './select.js';

/** Of the query that is repeated with each result; the answer names it in full once. */
const SHOWN_QUERY_LENGTH = 256;

export type Outcome = {
  readonly plan: RecallPlan;
  readonly searches: readonly Search[];
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly degraded: readonly Degraded[];
  readonly suppressed: readonly Suppression[];
  readonly dedupRemoved: number;
  readonly selected: Selected;
  readonly expansion: Expansion;
  readonly ending: Ending;
  readonly relations: ReadonlyMap<MemoryId, readonly Relation[]>;
  readonly queryTimeMs: number;
};

export function present(outcome: Outcome) {
  const { plan, selected, degraded, relations } = outcome;
  return {
    status: 'success',
    query: plan.query,
    results: selected.results.map((result) => presentResult(result, relations.get(result.memory.id) ?? [])),
    count: selected.results.length,
    dedup_removed: outcome.dedupRemoved,
    sort: plan.sort,
    state_mode: plan.stateMode,
    vector_search: vectorSearch(outcome),
    tag_mode: plan.filter.tags?.mode ?? 'any',
    tag_match: plan.filter.tags?.match ?? 'prefix',
    ...asked(outcome),
    ...(plan.timeWindow ? { time_window: plan.timeWindow } : {}),
    ...(plan.filter.tags ? { tags: plan.filter.tags.values, tag_scope: tagScope(outcome) } : {}),
    ...(plan.filter.excludeTags.length > 0 ? { exclude_tags: plan.filter.excludeTags } : {}),
    ...presentExpansion(plan, outcome.expansion, selected.results),
    ...(plan.profile ? { context_priority: contextPriority(plan.profile, selected.results) } : {}),
    ...(plan.stateMode === 'current' ? { state_filter: stateFilter(outcome) } : {}),
    ...endingReply(outcome),
    ...(degraded.length > 0 ? { degraded } : {}),
    query_time_ms: rounded(outcome.queryTimeMs, 2),
  };
}

/** The queries where several ran or were asked for, else the words of the one. */
function asked({ plan, searches }: Outcome): {
  readonly queries?: readonly string[];
  readonly keywords?: readonly string[];
} {
  const [only, ...others] = searches;
  if (others.length > 0 || (only && only.query !== plan.query)) return { queries: searches.map(({ query }) => query) };
  return plan.text === null ? {} : { keywords: plan.words };
}

function presentResult(result: SelectedResult, relations: readonly Relation[]) {
  const { memory, replaces, dedupedFrom, foundBy } = result;
  const score = rounded(result.score);
  return {
    id: memory.id,
    score,
    final_score: score,
    ...(replaces || isExpanded(result) ? {} : { original_score: rounded(result.originalScore ?? result.score) }),
    ...(replaces || isExpanded(result) || !foundBy ? {} : { _query: foundBy.query.slice(0, SHOWN_QUERY_LENGTH) }),
    ...presentMatch(result),
    memory: { ...memory, memory_id: memory.id, created_at: memory.timestamp },
    relations: replaces
      ? [{ type: replaces.type, strength: replaces.strength, from: replaces.memory.id }]
      : (followedRelations(result) ?? relations.map(relationReply)),
    ...presentOrigin(result),
    score_components: presentComponents(result),
    ...(dedupedFrom.length > 0 ? { deduped_from: dedupedFrom } : {}),
    ...(replaces ? { state_replaces: replaces.memory.id } : {}),
    ...(result.isOutsideTagScope ? { outside_tag_scope: true } : {}),
  };
}

function presentMatch(result: ScoredCandidate) {
  const match = matchOf(result);
  return { ...match, match_score: rounded(match.match_score) };
}

/** Where several searches ran, all but importance, confidence, recency and relevance counted `search_weight` of what is shown. */
function presentComponents({ components, foundBy }: ScoredCandidate) {
  const shown = foundBy && foundBy.weight < 1 ? { ...components, search_weight: foundBy.weight } : components;
  return Object.fromEntries(
    Object.entries(shown).map(([name, value]) => [name, typeof value === 'number' ? rounded(value) : value]),
  );
}

/** `enabled` speaks of the index: without an encoder, callers with embeddings of their own are still served. */
function vectorSearch({ hits, degraded }: Outcome) {
  return {
    enabled: !degraded.some(({ source }) => source === 'vectors' || source === 'vector'),
    matched: (hits.get('vector') ?? []).length > 0,
  };
}

function tagScope({ hits, selected }: Outcome) {
  return {
    filtered: true,
    pool_size_hint: hits.get('vector')?.length ?? null,
    gated_low_evidence: selected.results.filter(({ components }) => components.relevance_gated).length,
  };
}

function stateFilter({ plan, suppressed, selected }: Outcome) {
  const replacements = selected.results.flatMap(({ memory, replaces }) =>
    replaces ? [{ id: memory.id, replaces_id: replaces.memory.id, relation_type: replaces.type }] : [],
  );
  return {
    current_only: true,
    suppressed_count: suppressed.length,
    replacement_count: replacements.length,
    ...(plan.stateDebug ? { suppressed, replacements } : {}),
  };
}

/** Six digits are more than any ranking means, and keep answers lean. */
export function rounded(value: number, digits = 6): number {
  return Number(value.toFixed(digits));
}
