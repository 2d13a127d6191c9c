/**
 * The rank stage: reorders the results by contradictions and recency, drops low scores, fills up to the limit and fits
 * the budget.
 */
import { ASSOCIATION_TYPES, type AssociationType } from '../../../shared/contract/association.js';
import type { MemoryFilter } from '../../../shared/contract/filter.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import type { GraphReader, Relation } from '../../../shared/ports/graph.js';
import type { VectorIndexReader } from '../../../shared/ports/vectors.js';
import type { RecallConfig } from '../../config.js';
import type { AddCandidates } from '../add-candidates.js';
import type { Degraded } from '../candidate.js';
import { isByAssociation } from '../expand/expansion-evidence.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import type { ScoredSearch } from '../score/score-search.js';
import type { Selected, SelectedResult } from '../select/select-results.js';
import type { Stage } from '../stage-times.js';
import { rankNewerFirst, readContradictions } from './contradictions.js';
import { createScopeFallback } from './scope-fallback.js';
import { filterByScore } from './score-floor.js';
import { rankedByScore } from './sections.js';
import { type Budget, fitBudget } from './token-budget.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
  readonly config: RecallConfig;
  readonly logger: Logger;
  readonly addCandidates: AddCandidates;
};

/** What the steps of this stage did. */
export type RankingReport = {
  readonly isReranked: boolean;
  /** Null when the adaptive floor dropped nothing. */
  readonly floor: number | null;
  /** Without the results that `selectResults` dropped. */
  readonly filteredCount: number;
  readonly isFilled: boolean;
  readonly budget: Budget | null;
};

export type RankedResults = {
  readonly selected: Selected;
  readonly degraded: readonly Degraded[];
  /** The associations to show with each result. */
  readonly relations: ReadonlyMap<MemoryId, readonly Relation[]>;
  readonly ranking: RankingReport;
};

type Rank = (
  found: {
    readonly selected: Selected;
    readonly degraded: readonly Degraded[];
    readonly scoredSearches: readonly ScoredSearch[];
  },
  plan: RecallPlan,
  stage: Stage,
) => Promise<RankedResults>;

/**
 * One round trip for contradictions and, side by side, one for associations; more only when the scope fallback applies.
 */
export function createRank(dependencies: Dependencies): Rank {
  const { graph, config } = dependencies;
  const fillScope = createScopeFallback(dependencies);

  return async ({ selected, degraded, scoredSearches: [first] }, plan, stage) => {
    const readShown = async (shown: Selected['results']): Promise<RankedResults['relations']> =>
      plan.isCompact ? new Map() : readAssociations(graph, shown, { ...config, within: plan.filter.within });
    const [contradictions, associations] = await stage('relate', () =>
      Promise.all([readContradictions(graph, selected.results, plan), readShown(selected.results)]),
    );
    const ranking = { weights: config.scoring.weights, ranksByCloseness: plan.ranksByCloseness };
    const reranked = rerankByRecency(rankNewerFirst(selected.results, contradictions, ranking), plan);
    const filtered = filterByScore(reranked.results, plan);
    const filled = first
      ? await fillScope(filtered.results, first, stage)
      : { results: filtered.results, isFilled: false, degraded: [] };
    const { results, budget } = fitBudget(filled.results, plan.maxTokens);
    return {
      selected: { ...selected, results },
      degraded: [...degraded, ...filled.degraded],
      relations: filled.isFilled ? await stage('relate', () => readShown(results)) : associations,
      ranking: {
        isReranked: reranked.isReranked,
        floor: filtered.floor,
        filteredCount: filtered.filteredCount,
        isFilled: filled.isFilled,
        budget,
      },
    };
  };
}

type Reranked = {
  readonly results: readonly SelectedResult[];
  /** Whether reranking applied, also when equal timestamps left the order unchanged. */
  readonly isReranked: boolean;
};

/**
 * Ranks newer results higher when the caller or the query asks for the latest memories, pure. Adds the weighted
 * component `temporal` to each score: 1 for the newest result, 0 for the oldest. Only for an order by score.
 */
export function rerankByRecency(
  results: readonly SelectedResult[],
  { recencyWeight, sort }: Pick<RecallPlan, 'recencyWeight' | 'sort'>,
): Reranked {
  if (recencyWeight === null || sort !== 'score' || results.length === 0) return { results, isReranked: false };
  const times = results.map(({ memory }) => Date.parse(memory.timestamp));
  const oldest = Math.min(...times);
  const spread = Math.max(...times) - oldest;
  if (!(spread > 0)) return { results, isReranked: true };
  const raised = results.map((result, index) =>
    raise(result, ((times[index] ?? oldest) - oldest) / spread, recencyWeight),
  );
  return { results: rankedByScore(raised), isReranked: true };
}

function raise(result: SelectedResult, temporal: number, weight: number): SelectedResult {
  return {
    ...result,
    score: result.score + weight * temporal,
    originalScore: result.originalScore ?? result.score,
    components: { ...result.components, temporal },
  };
}

const PUBLIC_TYPES = (Object.keys(ASSOCIATION_TYPES) as AssociationType[]).filter(
  (type) => ASSOCIATION_TYPES[type].isPublic,
);

/** Enrichment connects nearly every memory with similar ones, and with their ends they are half of a reply. */
const DERIVED_SHOWN = 3;

type Shown = Pick<RecallConfig, 'relationLimit' | 'excludedTypes'> & Pick<MemoryFilter, 'within'>;

/**
 * Reads the outgoing associations to show with the results, in one round trip: those that callers created first, then
 * at most three of the newest that only enrichment creates. Skips replacements and memories that associations led to,
 * because they show the associations by which they became results.
 */
async function readAssociations(
  graph: GraphReader,
  results: readonly SelectedResult[],
  { relationLimit, excludedTypes, within }: Shown,
): Promise<ReadonlyMap<MemoryId, readonly Relation[]>> {
  const ids = results
    .filter((result) => result.replaces === null && !isByAssociation(result))
    .map(({ memory }) => memory.id);
  if (ids.length === 0) return new Map();
  const found = await graph.relations({
    ids,
    direction: 'outgoing',
    types: PUBLIC_TYPES,
    excludedTypes,
    within,
    limit: relationLimit,
  });
  return new Map([...found].map(([id, relations]) => [id, withFewDerived(relations)]));
}

function withFewDerived(relations: readonly Relation[]): readonly Relation[] {
  let derived = 0;
  return relations.filter(({ type }) => ASSOCIATION_TYPES[type].authorable || (derived += 1) <= DERIVED_SHOWN);
}
