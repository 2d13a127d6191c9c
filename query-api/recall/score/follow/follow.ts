/**
 * The second search: a further, bounded search from the best candidates, for evidence that the query does not name. It
 * adds at most 40 candidates to each search and scores the whole pool again, so that all candidates are on one scale.
 */
import { withinDeadline } from '../../../../shared/kernel/concurrency/within-deadline.js';
import { DeadlineError } from '../../../../shared/kernel/errors.js';
import type { Logger } from '../../../../shared/kernel/logger.js';
import type { GraphReader } from '../../../../shared/ports/graph.js';
import type { RecallConfig } from '../../../config.js';
import { createHydrate, type Hydrated } from '../../hydrate/hydrate.js';
import type { RecallPlan } from '../../plan/recall-plan.js';
import type { Stage } from '../../stage-times.js';
import { createSearchScorer, type ScoredSearch } from '../score-search.js';
import { hasSignals } from '../signals/signals.js';
import type { TermText } from '../term-text.js';
import { feedbackTerms } from './feedback-terms.js';
import { createSecondSearch, type Followed } from './second-search.js';

export type FollowDependencies = {
  readonly graph: GraphReader;
  readonly config: RecallConfig;
  readonly termText: TermText;
  readonly logger: Logger;
};

/**
 * One result per search, in their order. Two round trips, or none when every admitted memory is a candidate already.
 */
export function createFollow({
  graph,
  config,
  termText,
  logger,
}: FollowDependencies): (
  found: readonly ScoredSearch[],
  plan: RecallPlan,
  stage: Stage,
) => Promise<readonly ScoredSearch[]> {
  const search = createSecondSearch({ graph, config });
  const hydrate = createHydrate(graph);
  const score = createSearchScorer({ config, termText });

  return async (found, plan, stage) => {
    // In an order by time, further candidates would take the places of better ones.
    const isFollowed = config.secondSearch && plan.sort === 'score';
    const followed = found.filter(({ scored, search: { text, embedding } }) => hasSignals(scored, { text, embedding }));
    if (!isFollowed || followed.length === 0) return found;
    const leads = followed.map((one) => ({
      found: one,
      feedback: feedbackTerms(one.scored, one.search.terms, termText),
    }));
    const added = await stage('follow', () => readAdded(leads, plan));
    const rescored = leads.map((lead, index) => rescore(lead, added[index] ?? NOTHING_ADDED));
    return found.map((one) => rescored[followed.indexOf(one)] ?? one);
  };

  /** When the graph is too slow for a second search, the results of the first one remain. */
  async function readAdded(leads: readonly Followed[], plan: RecallPlan): Promise<readonly Added[]> {
    try {
      return await withinDeadline(searchAndHydrate(leads, plan), {
        milliseconds: config.sourceTimeoutMs,
        name: 'The second search',
      });
    } catch (error) {
      if (!(error instanceof DeadlineError)) throw error;
      logger.warn({ err: error }, 'second search timed out');
      const degraded = [{ source: 'second_search', reason: error.message }];
      return leads.map(() => ({ ...NOTHING_ADDED, degraded }));
    }
  }

  async function searchAndHydrate(leads: readonly Followed[], plan: RecallPlan): Promise<readonly Added[]> {
    const candidates = await search(leads);
    if (candidates.every(({ length }) => length === 0)) return [];
    return hydrate(
      leads.map(({ found: { search: one, hits } }, index) => ({
        search: one,
        hits,
        degraded: [],
        candidates: candidates[index] ?? [],
      })),
      plan,
    );
  }

  function rescore({ found, feedback }: Followed, { current, suppressed, degraded }: Added): ScoredSearch {
    return {
      ...found,
      feedback,
      degraded: [...found.degraded, ...degraded],
      suppressed: [...found.suppressed, ...suppressed],
      scored: score([...found.scored, ...current], found.search, feedback),
    };
  }
}

/** What the second search adds to one search. */
type Added = Pick<Hydrated, 'current' | 'suppressed' | 'degraded'>;

const NOTHING_ADDED: Added = { current: [], suppressed: [], degraded: [] };
