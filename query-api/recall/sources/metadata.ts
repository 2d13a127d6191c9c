/** Candidates by what their metadata says: the few memories whose source, repository, project or the like the query names. */
import type { GraphReader } from '../../../shared/graph/graph.js';
import { metadataMatch, metadataQuery } from '../metadata-match.js';
import type { RecallPlan } from '../plan.js';
import { hitsOfPasses, type Source } from './source.js';

/** Words of a query that are looked for, its first ones. */
const WORD_LIMIT = 12;

/**
 * The graph finds by words, many memories for each that is admitted, and here it is judged which match strongly: a memory that merely has
 * a word is no candidate, and reading it whole would cost more than it says.
 */
export function createMetadataSource({ graph }: { readonly graph: Pick<GraphReader, 'metadata'> }): Source {
  return {
    name: 'metadata',
    applies: (plan) => plan.metadataSlots > 0 && wordsOf(plan).length > 0,
    async search(plan) {
      const query = metadataQuery(plan.text ?? '');
      const words = wordsOf(plan);
      return hitsOfPasses(
        plan,
        async ({ filter }) => {
          const found = await graph.metadata({ words, filter, limit: judgedOf(plan) });
          const matches = found
            .map(({ id, values }) => ({ id, score: metadataMatch(query, values)?.score ?? 0 }))
            .filter(({ score }) => score > 0);
          return matches.sort((one, other) => other.score - one.score).slice(0, plan.metadataSlots);
        },
        ({ id }) => ({ id, evidence: { source: 'metadata' } }),
      );
    },
  };
}

function wordsOf({ text }: RecallPlan): readonly string[] {
  return metadataQuery(text ?? '').words.slice(0, WORD_LIMIT);
}

/** How many are judged for the slots that there are. */
function judgedOf({ metadataSlots }: RecallPlan): number {
  return Math.min(Math.max(25 * metadataSlots, 200), 1_000);
}
