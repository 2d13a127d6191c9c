/** Candidates without a query: what is important and recent, or what the demanded order by time puts first. */
import type { GraphReader, TrendingOrder } from '../../../shared/graph/graph.js';
import type { Sort } from '../../../shared/contract/queries.js';
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { RecallPlan } from '../plan.js';
import { searchPasses, type Source } from './source.js';

export function createTrendingSource({ graph }: { readonly graph: GraphReader }): Source {
  return {
    name: 'trending',
    applies: (plan) => isUnasked(plan) && plan.filter.tags === null,
    async search(plan) {
      const ids = await trendingIds(graph, plan);
      return ids.map((id) => ({ id, evidence: { source: 'trending' } }));
    },
  };
}

/** Neither words nor an embedding to search for. */
export function isUnasked(plan: RecallPlan): boolean {
  return plan.text === null && plan.embedding === null;
}

export function trendingIds(graph: GraphReader, plan: RecallPlan): Promise<readonly MemoryId[]> {
  return searchPasses(plan, ({ filter, limits }) => graph.trending({ filter, order: orderOf(plan.sort), limit: limits.trending }));
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
