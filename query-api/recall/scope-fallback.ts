/**
 * The stage that fills an answer which its tags leave short, where the caller allows it: by meaning, from outside the tags. Everything
 * else that was asked for holds. One vector search and one hydration.
 */
import type { Embedder } from '../../shared/embedding/embedder.js';
import type { GraphReader } from '../../shared/graph/graph.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { VectorIndexReader } from '../../shared/vectors/vectors.js';
import type { RecallConfig } from '../config.js';
import { admits } from './admits.js';
import type { Degraded } from './candidate.js';
import { contentFingerprint } from './fingerprint.js';
import { fuse } from './fuse.js';
import { hydrate } from './hydrate.js';
import { distinctResults } from './near-duplicates.js';
import type { RecallPlan } from './plan.js';
import { resolveStates } from './resolve-states.js';
import { createRetrieve, type Retrieved } from './retrieve.js';
import type { Score } from './score.js';
import { select, type SelectedResult } from './select.js';
import type { Source } from './sources/source.js';
import type { Stage } from './stage-times.js';
import { createVectorSource } from './sources/vector.js';

type Dependencies = {
  readonly graph: GraphReader;
  readonly vectors: VectorIndexReader;
  readonly embedder: Embedder;
  readonly config: RecallConfig;
  readonly logger: Logger;
  readonly score: Score;
};

export type Filled = {
  readonly results: readonly SelectedResult[];
  readonly isFilled: boolean;
  readonly degraded: readonly Degraded[];
};

/** Stands in for an index that fails now: the answer then stays as short as it is. */
const NOTHING: Source = { name: 'vector', applies: () => false, search: async () => [] };

export function createScopeFallback({ graph, vectors, embedder, config, logger, score }: Dependencies) {
  const sources = [createVectorSource({ vectors, embedder })];
  const retrieve = createRetrieve({ sources, fallback: NOTHING, timeoutMs: config.sourceTimeoutMs, logger });

  /** Appends, best first, what fills the results up to the limit. Where the index did not answer the search itself, it is not asked again. */
  return async (
    results: readonly SelectedResult[],
    plan: RecallPlan,
    { hits, stage }: Pick<Retrieved, 'hits'> & { readonly stage: Stage },
  ): Promise<Filled> => {
    const missing = plan.limit - results.length;
    if (!plan.scopeFallback || missing <= 0 || !hits.has('vector')) return { results, isFilled: false, degraded: [] };
    const wide = withoutScope(plan, config.maxLimit);
    const { hits: found, degraded } = await retrieve(wide, stage);
    const { current } = await resolveStates(graph, await hydrate(graph, fuse(found.values()), wide), wide);
    const outside = current.filter(({ memory }) => !admits(plan.filter, memory));
    const fills = newTo(results, select(score(outside, plan), wide).results).slice(0, missing);
    return {
      results: [...results, ...fills.map((fill) => ({ ...fill, isOutsideTagScope: true }))],
      isFilled: true,
      degraded,
    };
  };
}

function withoutScope(plan: RecallPlan, maxLimit: number): RecallPlan {
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

/** Without what repeats a result. */
function newTo(results: readonly SelectedResult[], fills: readonly SelectedResult[]): readonly SelectedResult[] {
  const known = new Set(results.flatMap(({ memory }) => [memory.id, contentFingerprint(memory.content)]));
  const fresh = fills.filter(
    ({ memory }) => !known.has(memory.id) && !known.has(contentFingerprint(memory.content) ?? memory.id),
  );
  const distinct = new Set(
    distinctResults([...results, ...fresh], results.length + fresh.length).map(({ memory }) => memory.id),
  );
  return fresh.filter(({ memory }) => distinct.has(memory.id));
}
