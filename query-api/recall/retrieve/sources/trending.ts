/**
 * Finds candidates for a listing, a recall without a query: important and recent memories, or the first ones in the
 * requested order by time.
 */
import type { Sort } from '../../../../shared/contract/queries/recall-query.js';
import type { GraphReader, TrendingOrder } from '../../../../shared/ports/graph.js';
import type { Hit } from '../../candidate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { hitsOfPasses, type Source } from './source.js';

export function createTrendingSource({ graph }: { readonly graph: GraphReader }): Source {
  return {
    name: 'trending',
    applies: (plan) => isListing(plan) && plan.filter.tags === null,
    search: (plan) => trendingHits(graph, plan, 'trending'),
  };
}

/** The most important memories of a tag filter. */
export function createTagOnlySource({ graph }: { readonly graph: GraphReader }): Source {
  return {
    name: 'tag',
    applies: (plan) => isListing(plan) && plan.filter.tags !== null,
    search: (plan) => trendingHits(graph, plan, 'tag'),
  };
}

/** Neither a text nor an embedding to search for. */
function isListing(plan: RecallPlan): boolean {
  return plan.text === null && plan.embedding === null;
}

export function trendingHits(
  graph: GraphReader,
  plan: RecallPlan,
  source: 'tag' | 'trending' | 'profile',
): Promise<readonly Hit[]> {
  return hitsOfPasses(
    plan,
    ({ filter, limits }) => graph.trending({ filter, order: orderOf(plan.sort), limit: limits.trending }),
    (id) => ({ id, evidence: { source } }),
  );
}

/**
 * Every order by time uses the time of the last change, as `selectResults` does: with another order the newest memories
 * might not be read.
 */
function orderOf(sort: Sort): TrendingOrder {
  switch (sort) {
    case 'score':
      return 'importance';
    case 'time_desc':
    case 'updated_desc':
      return 'updated_desc';
    case 'time_asc':
    case 'updated_asc':
      return 'updated_asc';
    default:
      return sort satisfies never;
  }
}
