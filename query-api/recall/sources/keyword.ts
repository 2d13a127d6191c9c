/**
 * Candidates by words: the memories whose content or tags hold any of the query's terms. Identifiers are looked for by themselves as well,
 * side by side: many common words of a long sentence weigh more than one rare one, and would fill the pool.
 */
import type { MemoryId } from '../../../shared/contract/memory.js';
import type { GraphReader } from '../../../shared/graph/graph.js';
import { MAX_QUERY_TERMS } from '../../../shared/text/analyzer.js';
import type { Pass, RecallPlan } from '../plan.js';
import { hitsOfPasses, type Source } from './source.js';

/** Of a pool, what is kept for what holds an identifier whole, and once more for what holds its parts: many hold `src` and `ts`. */
const IDENTIFIED_SHARE = 0.25;

type Dependencies = { readonly graph: Pick<GraphReader, 'keyword'> };

export function createKeywordSource({ graph }: Dependencies): Source {
  return {
    name: 'keyword',
    applies: (plan) => plan.terms.length > 0,
    search(plan) {
      const identified = identifiedTerms(plan);
      return hitsOfPasses(
        plan,
        (pass) => searchPass(plan.terms, identified, pass),
        (id) => ({ id, evidence: { source: 'keyword' } }),
      );
    },
  };

  async function searchPass(
    terms: readonly string[],
    identified: readonly (readonly string[])[],
    { filter, limits: { keyword: limit } }: Pass,
  ): Promise<readonly MemoryId[]> {
    const found = await Promise.all([
      ...identified.map((some) => graph.keyword({ terms: some, filter, limit: Math.ceil(IDENTIFIED_SHARE * limit) })),
      graph.keyword({ terms, filter, limit }),
    ]);
    return [...new Set(found.flat())].slice(0, limit);
  }
}

/** What to look for beside all terms: the identifiers whole, and their parts. Nothing where the query is a lone identifier. */
function identifiedTerms({
  terms,
  identifiers,
}: Pick<RecallPlan, 'terms' | 'identifiers'>): readonly (readonly string[])[] {
  const searches = [identifiers.map(({ whole }) => whole), identifiers.flatMap(({ parts }) => parts)];
  const isLone = identifiers.length === 1 && terms.every((term) => searches.flat().includes(term));
  return isLone
    ? []
    : searches.map((some) => [...new Set(some)].slice(0, MAX_QUERY_TERMS)).filter((some) => some.length > 0);
}
