/** Candidates without a query: what is important and recent, or what the demanded order by time puts first. */
import type { GraphReader, TrendingOrder } from '../../../shared/graph/graph.js';
import type { Sort } from '../../../shared/contract/queries.js';
import type { Hit } from '../candidate.js';
import type { RecallPlan } from '../plan.js';
import { hitsOfPasses, type Source } from './source.js';

export function createTrendingSource({ graph }: { readonly graph: GraphReader }): Source {
  return {
    name: 'trending',
    applies: (plan) => isUnasked(plan) && plan.filter.tags === null,
    search: (plan) => trendingHits(graph, plan, 'trending'),
  };
}

/** Neither words nor an embedding to search for. */
export function isUnasked(plan: RecallPlan): boolean {
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

/** Every order by time goes by the time of the last change, as `select` sorts: else the newest of them might not be fetched. */
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
