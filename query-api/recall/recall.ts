/**
 * GET /recall: the stages of a recall, in order. Each folder is one stage, and a stage imports only from earlier ones.
 */
import type { Reply, RequestFor } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import type { RecallConfig } from '../config.js';
import type { AwaitIndex } from '../consistency/consistent-read.js';
import type { NoteAccess } from '../note-access.js';
import { createExpand } from './expand/expand.js';
import { isExpanded } from './expand/expansion-evidence.js';
import { createExplain } from './explain/explain.js';
import { createFollow } from './follow/follow.js';
import { createHydrate } from './hydrate/hydrate.js';
import { createPlan } from './plan/plan.js';
import { compactReply } from './present/compact.js';
import { createIdentities } from './present/identities.js';
import { present } from './present/present.js';
import { createRank } from './rank/rank.js';
import { createRetrieve } from './retrieve/retrieve.js';
import type { SourceDependencies } from './retrieve/sources/sources.js';
import { createScore } from './score/score.js';
import { createCandidateScorer } from './score/score-candidates.js';
import { createTermText } from './score/term-text.js';
import { createSelect } from './select/select.js';
import { createStageTimes, untilGone } from './stage-times.js';

type Dependencies = SourceDependencies & {
  readonly noteAccess: NoteAccess;
  readonly config: RecallConfig;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics?: Metrics | undefined;
};

export function createRecall(
  dependencies: Dependencies,
): (request: RequestFor<'recall'>, awaitIndex: AwaitIndex) => Promise<Reply> {
  const { graph, noteAccess, config, metrics = NO_METRICS } = dependencies;
  const termText = createTermText();
  const shared = { ...dependencies, termText, score: createCandidateScorer(config.scoring, termText) };
  const makePlan = createPlan(dependencies);
  const retrieve = createRetrieve(dependencies);
  const hydrate = createHydrate(graph);
  const score = createScore(shared);
  const follow = createFollow(shared);
  const select = createSelect(shared);
  const expand = createExpand(shared);
  const rank = createRank(shared);
  const explain = createExplain(dependencies);
  const identities = createIdentities({ graph, refreshMs: config.identityRefreshMs, logger: dependencies.logger });

  return async ({ query, context }, awaitIndex) => {
    const { stage: timed, serverTiming, durations } = createStageTimes(context.startedAt);
    const stage = untilGone(timed, context.signal);
    const planned = makePlan(query);
    const retrieved = await stage('retrieve', () => retrieve(planned.searches, { stage, awaitIndex }));
    const hydrated = await stage('hydrate', () => hydrate(retrieved, planned.plan));
    const scored = stage('score', () => score(hydrated));
    const followed = await follow(scored, planned.plan, stage);
    const selected = await select(followed, planned.plan, stage);
    const expanded = await stage('expand', () => expand(selected, planned.plan));
    const ranked = await rank({ ...selected, ...expanded }, planned, stage);
    const outcome = { ...planned, ...selected, ...expanded, ...ranked };
    const explanation = await explain(outcome);
    const found = identities.find(
      outcome.plan.query,
      outcome.selected.results.map(({ memory }) => memory.tags),
    );
    const body = present({
      ...outcome,
      explanation,
      identities: found,
      queryTimeMs: performance.now() - context.startedAt,
    });
    for (const [name, ms] of durations())
      metrics.observe('palimpsest_recall_stage_duration_seconds', { stage: name }, ms / 1_000);
    return {
      status: 200,
      headers: { 'Server-Timing': serverTiming() },
      body: planned.plan.isCompact ? compactReply(body) : body,
      onSent: noteAccess(
        outcome.selected.results.filter((result) => !isExpanded(result)).map(({ memory }) => memory.id),
      ),
    };
  };
}
