/** GET /recall: the stages of a recall, in order. Those that take a port ask the world and score nothing; the others are pure. */
import type { Handler } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import type { RecallConfig } from '../config.js';
import type { NoteAccess } from '../note-access.js';
import { createExpand } from './expand.js';
import { isExpanded } from './expanded.js';
import { createExplain } from './explain/create-explain.js';
import { withExplanation } from './explain/with-explanation.js';
import { filterByScore } from './filter-by-score.js';
import { fitBudget } from './fit-budget.js';
import { fuse } from './fuse.js';
import { hydrateAll, type Hydrated } from './hydrate.js';
import { createInjectPriority, priorityHits } from './inject-priority.js';
import { mergeSearches, type Found } from './merge-searches.js';
import { newestFirst } from './newest-first.js';
import { planSearches, type Search } from './plan-searches.js';
import { planRecall } from './plan.js';
import { present } from './present.js';
import { readDisputes } from './read-disputes.js';
import { relate } from './relate.js';
import { rerankByRecency } from './rerank-by-recency.js';
import { resolveStates } from './resolve-states.js';
import { createRetrieve } from './retrieve.js';
import { createScopeFallback } from './scope-fallback.js';
import { createScore } from './score.js';
import { select } from './select.js';
import { createSurround } from './surroundings/create-surround.js';
import { createSources, type SourceDependencies } from './sources/create-sources.js';
import { createStageTimes, type Stage } from './stage-times.js';

type Dependencies = SourceDependencies & {
  readonly noteAccess: NoteAccess;
  readonly config: RecallConfig;
  readonly clock: Clock;
  readonly logger: Logger;
};

export function createRecall(dependencies: Dependencies): Handler<'recall'> {
  const { graph, vectors, noteAccess, config, clock, logger } = dependencies;
  const retrieve = createRetrieve({ ...createSources(dependencies), timeoutMs: config.sourceTimeoutMs, logger });
  const score = createScore(config.scoring);
  const surround = createSurround(config.scoring);
  const injectPriority = createInjectPriority({ graph, score });
  const expand = createExpand({ graph, score });
  const fillScope = createScopeFallback({ ...dependencies, score });
  const explain = createExplain({ graph, scoring: config.scoring });

  return async ({ query, context }) => {
    const plan = planRecall(query, { config, dimension: vectors.dimension, now: clock.now() });
    const { stage, serverTiming } = createStageTimes(context.startedAt);
    const searches = planSearches(plan, query);
    const retrieved = await Promise.all(searches.map((search) => find(search, stage)));
    const hydrated = await stage('hydrate', () => hydrateAll(graph, retrieved, plan));
    const found = await Promise.all(hydrated.map((each) => judge(each, stage)));
    const merged = mergeSearches(found, plan, config.scoring.weights);
    const complete = await stage('expand', () => injectPriority(merged.candidates, plan));
    const selected = stage('score', () => select(complete, plan));
    const expanded = await stage('expand', () =>
      expand({ selected, suppressed: merged.suppressed, pool: complete }, plan),
    );
    const [disputes, related] = await stage('relate', () =>
      Promise.all([
        readDisputes(graph, expanded.selected.results, plan),
        relate(graph, expanded.selected.results, config),
      ]),
    );
    const reranked = rerankByRecency(newestFirst(expanded.selected.results, disputes), plan);
    const filtered = filterByScore(reranked.results, plan);
    const [firstSearch = plan] = searches;
    const filled = await stage('expand', () => fillScope(filtered.results, firstSearch, { hits: merged.hits, stage }));
    const { results, budget } = fitBudget(filled.results, plan.maxTokens);
    const relations = filled.isFilled ? await stage('relate', () => relate(graph, results, config)) : related;
    const explanation = await explain({
      plan,
      hits: merged.hits,
      suppressed: expanded.suppressed,
      scored: complete,
      results,
    });
    const queryTimeMs = performance.now() - context.startedAt;
    const reply = present({
      plan,
      searches,
      ...merged,
      ...expanded,
      relations,
      queryTimeMs,
      degraded: [...merged.degraded, ...filled.degraded],
      selected: { ...expanded.selected, results },
      ending: {
        isReranked: reranked.isReranked,
        floor: filtered.floor,
        filteredCount: filtered.filteredCount,
        isFilled: filled.isFilled,
        budget,
      },
    });
    return {
      status: 200,
      headers: { 'Server-Timing': serverTiming() },
      body: withExplanation(reply, explanation),
      onSent: noteAccess(results.filter((result) => !isExpanded(result)).map(({ memory }) => memory.id)),
    };
  };

  async function find(search: Search, stage: Stage) {
    const { hits, degraded } = await stage('retrieve', () => retrieve(search, stage));
    return { search, hits, degraded, candidates: fuse([...hits.values(), priorityHits(search)]) };
  }

  async function judge(
    { search, hits, degraded, ...hydrated }: Omit<Found, 'suppressed' | 'scored'> & Hydrated,
    stage: Stage,
  ): Promise<Found> {
    const { current, suppressed } = await stage('hydrate', () => resolveStates(graph, hydrated, search));
    const scored = stage('score', () => surround(score(current, search), search));
    return { search, hits, degraded, suppressed, scored };
  }
}
