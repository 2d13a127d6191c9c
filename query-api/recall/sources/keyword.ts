/** Candidates by words: the memories whose content or tags hold any of the query's terms. */
import type { GraphReader } from '../../../shared/graph/graph.js';
import { hitsOfPasses, type Source } from './source.js';

export function createKeywordSource({ graph }: { readonly graph: Pick<GraphReader, 'keyword'> }): Source {
  return {
    name: 'keyword',
    applies: (plan) => plan.terms.length > 0,
    search: (plan) => hitsOfPasses(
      plan,
      ({ filter, limits }) => graph.keyword({ terms: plan.terms, filter, limit: limits.keyword }),
      (id) => ({ id, evidence: { source: 'keyword' } }),
    ),
  };
}
