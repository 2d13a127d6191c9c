/**
 * Fills up a reply that has fewer results than the limit because of its tags, when the caller allows it: with memories
 * outside the tags that are near by meaning. All other filters of the request still apply. One vector search and one
 * hydration.
 */
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Embedder } from '../../../shared/ports/embedder.js';
import type { VectorIndexReader } from '../../../shared/ports/vectors.js';
import type { RecallConfig } from '../../config.js';
import type { AddCandidates } from '../add-candidates.js';
import type { Degraded } from '../candidate.js';
import { matchesFilter } from '../hydrate/filter-match.js';
import type { RecallPlan } from '../plan/recall-plan.js';
import { sourceKeyOf } from '../plan/source-key.js';
import { fuse } from '../retrieve/fuse.js';
import { createSourceSearch } from '../retrieve/search-sources.js';
import type { Source } from '../retrieve/sources/source.js';
import { createVectorSource } from '../retrieve/sources/vector.js';
import type { ScoredSearch } from '../score/score-search.js';
import { distinctResults, fingerprintOf } from '../select/near-duplicates.js';
import { type SelectedResult, selectResults } from '../select/select-results.js';
import type { Stage } from '../stage-times.js';

type Dependencies = {
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
  readonly config: RecallConfig;
  readonly logger: Logger;
  readonly addCandidates: AddCandidates;
};

export type Filled = {
  readonly results: readonly SelectedResult[];
  readonly isFilled: boolean;
  readonly degraded: readonly Degraded[];
};

/** The fallback when the index fails: it finds nothing, and the reply stays as short as it is. */
const NO_SOURCE: Source = { name: 'vector', applies: () => false, search: async () => [] };

export function createScopeFallback({ vectors, embedder, config, logger, addCandidates }: Dependencies) {
  const sources = [createVectorSource({ vectors, embedder, timeoutMs: config.sourceTimeoutMs })];
  const searchVectors = createSourceSearch({ sources, fallback: NO_SOURCE, timeoutMs: config.sourceTimeoutMs, logger });

  /**
   * Appends results, best first, up to the limit. Does not search when the index did not answer `first`, the first
   * search of the recall.
   */
  return async (results: readonly SelectedResult[], first: ScoredSearch, stage: Stage): Promise<Filled> => {
    const plan = first.search;
    const missing = plan.limit - results.length;
    if (!plan.scopeFallback || missing <= 0 || !first.hits.has('vector'))
      return { results, isFilled: false, degraded: [] };
    const wide = withoutTags(plan, config.maxLimit);
    const { hits: hitsOutside, degraded } = await searchVectors(wide, {
      stage,
      awaitIndex: async () => undefined /* the search of the recall has waited */,
    });
    const { scored } = await addCandidates(
      {
        candidates: fuse(hitsOutside.values()),
        searches: [first],
        choose: (current) => current.filter(({ memory }) => !matchesFilter(plan.filter, memory)),
      },
      wide,
    );
    const fills = withoutRepeats(results, selectResults(scored, wide).results, plan).slice(0, missing);
    return {
      results: [...results, ...fills.map((fill) => ({ ...fill, isOutsideTagScope: true }))],
      isFilled: true,
      degraded,
    };
  };
}

function withoutTags(plan: RecallPlan, maxLimit: number): RecallPlan {
  const filter = { ...plan.filter, tags: null };
  const vector = Math.min(2 * plan.limit, maxLimit);
  return {
    ...plan,
    filter,
    limit: vector,
    sort: 'score',
    passes: [{ filter, limits: { vector, keyword: 0, trending: 0 } }],
  };
}

/** The fills that repeat no result, by id, content, near duplicate or source. */
function withoutRepeats(
  results: readonly SelectedResult[],
  fills: readonly SelectedResult[],
  { distinctBy }: Pick<RecallPlan, 'distinctBy'>,
): readonly SelectedResult[] {
  const known = new Set(results.flatMap(({ memory }) => [memory.id, fingerprintOf(memory)]));
  const newFills = fills.filter(
    ({ memory }) => !known.has(memory.id) && !known.has(fingerprintOf(memory) ?? memory.id),
  );
  const distinct = distinctResults([...results, ...newFills], results.length + newFills.length, ({ memory }) =>
    sourceKeyOf(memory, distinctBy),
  );
  const distinctIds = new Set(distinct.map(({ memory }) => memory.id));
  return newFills.filter(({ memory }) => distinctIds.has(memory.id));
}
