/** The present stage, pure: builds the reply in the fields of the contract. */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { ReplyOf } from '../../../shared/contract/operations.js';
import type { RecallResult } from '../../../shared/contract/recall-reply.js';
import type { Relation } from '../../../shared/ports/graph.js';
import type { Degraded, Hit, ScoredCandidate, SourceName } from '../candidate.js';
import type { Expansion } from '../expand/expand.js';
import type { Suppression } from '../hydrate/resolve-states.js';
import type { ContextProfile } from '../plan/context-profile.js';
import type { RecallPlan, Search } from '../plan/recall-plan.js';
import type { RankingReport } from '../rank/rank.js';
import { FITTED } from '../score/fitted-weights.js';
import { isInjected } from '../select/inject-priority.js';
import type { Selected } from '../select/select-results.js';
import type { Explanation } from './explain/explain.js';
import type { Identities } from './identities.js';
import { presentExpansion } from './present-expansion.js';
import { presentRanking } from './present-ranking.js';
import { presentResult } from './present-result.js';
import { rounded, roundedWithin } from './rounded.js';

const SHOWN_TAGS = 10;

export type Outcome = {
  readonly plan: RecallPlan;
  readonly searches: readonly Search[];
  readonly hits: ReadonlyMap<SourceName, readonly Hit[]>;
  readonly degraded: readonly Degraded[];
  readonly suppressed: readonly Suppression[];
  readonly dedupRemoved: number;
  readonly selected: Selected;
  readonly expansion: Expansion;
  readonly ranking: RankingReport;
  readonly relations: ReadonlyMap<MemoryId, readonly Relation[]>;
  /** Null when the caller asked for no explanation. */
  readonly explanation: Explanation | null;
  readonly queryTimeMs: number;
  readonly identities: ReturnType<Identities['find']>;
};

/** A reply whose results are whole. */
export type WholeReply = Omit<ReplyOf<'recall'>, 'results'> & { readonly results: readonly RecallResult[] };

export function present(outcome: Outcome): WholeReply {
  const { plan, selected, degraded, relations, explanation } = outcome;
  return {
    status: 'success',
    query: plan.query,
    results: selected.results.map((result) => {
      const explained = explanation?.results.get(result.memory.id);
      return {
        ...presentResult(result, relations.get(result.memory.id) ?? []),
        ...(explained ? { explain: roundedWithin(explained) } : {}),
      };
    }),
    count: selected.results.length,
    dedup_removed: outcome.dedupRemoved,
    sort: plan.sort,
    state_mode: plan.stateMode,
    vector_search: vectorSearch(outcome),
    tag_mode: plan.filter.tags?.mode ?? 'any',
    tag_match: plan.filter.tags?.match ?? 'prefix',
    ...queryTexts(outcome),
    ...(plan.timeWindow ? { time_window: plan.timeWindow } : {}),
    ...(plan.filter.tags ? { tags: plan.filter.tags.values, tag_scope: tagScope(outcome) } : {}),
    ...(plan.filter.excludeTags.length > 0 ? { exclude_tags: plan.filter.excludeTags } : {}),
    ...presentExpansion(plan, outcome.expansion, selected.results),
    ...(plan.profile ? { context_priority: contextPriority(plan.profile, selected.results) } : {}),
    ...(plan.stateMode === 'current' ? { state_filter: stateFilter(outcome) } : {}),
    ...presentRanking(outcome),
    ...fit(outcome),
    ...(outcome.identities.length > 0 ? { entities: outcome.identities } : {}),
    ...(degraded.length > 0 ? { degraded } : {}),
    query_time_ms: rounded(outcome.queryTimeMs, 2),
    ...(explanation?.memory ? { explain: roundedWithin(explanation.memory) } : {}),
  };
}

/** `queries` when several searches ran or the caller sent `queries`, otherwise the `keywords` of the query. */
function queryTexts({ plan, searches }: Outcome): {
  readonly queries?: readonly string[];
  readonly keywords?: readonly string[];
} {
  const [first, ...others] = searches;
  if (others.length > 0 || (first && first.query !== plan.query))
    return { queries: searches.map(({ query }) => query) };
  return plan.text === null ? {} : { keywords: plan.words };
}

/** `enabled` is about the index: without the encoder, a caller that sends an embedding can still search by vector. */
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

/**
 * Whether no result is probable enough to be an answer. Nothing for a listing, which asks no question, and for a
 * degraded answer: a source that failed may have had the answer.
 */
function fit({ searches, degraded, selected }: Outcome): { readonly nothing_fits?: boolean } {
  const isSearch = searches.some(({ text, embedding }) => text !== null || embedding !== null);
  if (!isSearch || degraded.length > 0) return {};
  return { nothing_fits: !selected.results.some(({ match }) => match && match.probability >= FITTED.fitProbability) };
}

/**
 * The block `context_priority`: the context that raised scores, and whether it added memories that the search did not
 * find.
 */
function contextPriority({ language, context, tags, types }: ContextProfile, results: readonly ScoredCandidate[]) {
  return {
    language,
    context,
    priority_tags: tags.slice(0, SHOWN_TAGS),
    priority_types: types,
    injected: results.some(isInjected),
  };
}
