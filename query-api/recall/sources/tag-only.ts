/** Candidates by nothing but tags: the most important memories of a tag filter when there is no query. */
import type { GraphReader } from '../../../shared/graph/graph.js';
import type { Source } from './source.js';
import { isUnasked, trendingIds } from './trending.js';

export function createTagOnlySource({ graph }: { readonly graph: GraphReader }): Source {
  return {
    name: 'tag',
    applies: (plan) => isUnasked(plan) && plan.filter.tags !== null,
    async search(plan) {
      const ids = await trendingIds(graph, plan);
      return ids.map((id) => ({ id, evidence: { source: 'tag' } }));
    },
  };
}
