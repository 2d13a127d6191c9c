/**
 * The retrieve stage: runs every search of a recall on all sources, side by side, and joins the hits of each search
 * into candidates.
 */
import type { Logger } from '../../../shared/kernel/logger.js';
import type { Candidate, Hit } from '../candidate.js';
import type { RecallPlan, Search } from '../plan/recall-plan.js';
import { fuse } from './fuse.js';
import { createSourceSearch, type SourceHits } from './search-sources.js';
import type { Run } from './sources/source.js';
import { createSources, type SourceDependencies } from './sources/sources.js';

type Dependencies = SourceDependencies & {
  readonly config: { readonly sourceTimeoutMs: number };
  readonly logger: Logger;
};

/** The result of one search. */
export type Retrieved = SourceHits & { readonly search: Search; readonly candidates: readonly Candidate[] };

/** One result per search, in their order. */
export function createRetrieve(
  dependencies: Dependencies,
): (searches: readonly Search[], run: Run) => Promise<readonly Retrieved[]> {
  const { config, logger } = dependencies;
  const searchSources = createSourceSearch({
    ...createSources({ ...dependencies, timeoutMs: config.sourceTimeoutMs }),
    timeoutMs: config.sourceTimeoutMs,
    logger,
  });

  return (searches, run) =>
    Promise.all(
      searches.map(async (search) => {
        const { hits, degraded } = await searchSources(search, run);
        return { search, hits, degraded, candidates: fuse([...hits.values(), priorityHits(search)]) };
      }),
    );
}

/**
 * The memories that the caller named by id. They are hydrated with all other candidates, without a read of their own.
 */
export function priorityHits({ profile }: Pick<RecallPlan, 'profile'>): readonly Hit[] {
  return (profile?.ids ?? []).map((id) => ({ id, evidence: { source: 'priority' } }));
}
