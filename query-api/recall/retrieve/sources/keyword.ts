/**
 * Finds candidates by words: memories whose content or tags contain a term of the query. Identifiers are also searched
 * separately, side by side: the many common words of a long sentence outweigh one rare word and would fill the pool.
 */
import type { MemoryId } from '../../../../shared/contract/memory.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import { MAX_QUERY_TERMS } from '../../../../shared/text/analyzer.js';
import type { Pass, RecallPlan } from '../../plan/recall-plan.js';
import { hitsOfPasses, type Source } from './source.js';

/**
 * Share of a pool that is reserved for memories with a whole identifier, and again for memories with its parts: many
 * memories contain `src` and `ts`.
 */
const IDENTIFIER_POOL_SHARE = 0.25;

type Dependencies = { readonly graph: Pick<GraphReader, 'keyword'> };

export function createKeywordSource({ graph }: Dependencies): Source {
  return {
    name: 'keyword',
    applies: (plan) => plan.terms.length > 0,
    search(plan) {
      const identifiers = identifierSearches(plan);
      return hitsOfPasses(
        plan,
        (pass) => searchPass(plan.terms, identifiers, pass),
        (id) => ({ id, evidence: { source: 'keyword' } }),
      );
    },
  };

  async function searchPass(
    terms: readonly string[],
    identifiers: readonly (readonly string[])[],
    { filter, limits: { keyword: limit } }: Pass,
  ): Promise<readonly MemoryId[]> {
    const found = await Promise.all([
      ...identifiers.map((names) =>
        graph.keyword({ terms: names, filter, limit: Math.ceil(IDENTIFIER_POOL_SHARE * limit) }),
      ),
      graph.keyword({ terms, filter, limit }),
    ]);
    return [...new Set(found.flat())].slice(0, limit);
  }
}

/**
 * Searches in addition to the one for all terms: whole identifiers, and their parts. None when the query is a single
 * identifier.
 */
function identifierSearches({
  terms,
  identifiers,
}: Pick<RecallPlan, 'terms' | 'identifiers'>): readonly (readonly string[])[] {
  const searches = [identifiers.map(({ whole }) => whole), identifiers.flatMap(({ parts }) => parts)];
  const isOnlyIdentifier = identifiers.length === 1 && terms.every((term) => searches.flat().includes(term));
  return isOnlyIdentifier
    ? []
    : searches.map((names) => [...new Set(names)].slice(0, MAX_QUERY_TERMS)).filter((names) => names.length > 0);
}
