/**
 * Finds candidates by metadata: the few memories whose source, repository, project or similar field the query names.
 */
import type { GraphReader } from '../../../../shared/ports/graph.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import { metadataMatch, metadataQuery, strongWords } from '../metadata-match.js';
import { hitsOfPasses, type Source } from './source.js';

/** Only the first 12 words of a query are searched for. */
const WORD_LIMIT = 12;

/**
 * The graph finds by words, and most of these memories match weakly. Only strong matches become candidates: hydrating a
 * memory that merely contains one of the words costs more than it helps.
 */
export function createMetadataSource({ graph }: { readonly graph: Pick<GraphReader, 'metadata'> }): Source {
  return {
    name: 'metadata',
    applies: (plan) => plan.metadataSlots > 0 && searchWords(plan).length > 0,
    async search(plan) {
      const query = metadataQuery(plan.text ?? '');
      const words = searchWords(plan);
      return hitsOfPasses(
        plan,
        async ({ filter }) => {
          const minimumWords = query.words.length > WORD_LIMIT ? 1 : strongWords(query);
          const found = await graph.metadata({ words, minimumWords, filter, limit: readLimit(plan) });
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

function searchWords({ text }: RecallPlan): readonly string[] {
  return metadataQuery(text ?? '').words.slice(0, WORD_LIMIT);
}

/** How many memories the graph returns to fill the slots. */
function readLimit({ metadataSlots }: RecallPlan): number {
  return Math.min(Math.max(25 * metadataSlots, 200), 1_000);
}
