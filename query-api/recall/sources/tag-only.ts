/** Candidates by nothing but tags: the most important memories of a tag filter when there is no query. */
import type { GraphReader } from '../../../shared/graph/graph.js';
import type { Source } from './source.js';
import { isUnasked, trendingHits } from './trending.js';

export function createTagOnlySource({ graph }: { readonly graph: GraphReader }): Source {
  return {
    name: 'tag',
    applies: (plan) => isUnasked(plan) && plan.filter.tags !== null,
    search: (plan) => trendingHits(graph, plan, 'tag'),
  };
}
