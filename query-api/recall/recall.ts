/**
 * GET /recall: the stages of a recall, in order. Each folder is one stage, and a stage imports only from earlier ones.
 */
import type { ReplyFor, RequestFor } from '../../shared/http/handler.js';
import type { Clock } from '../../shared/kernel/clock.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { type Metrics, NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import type { RecallConfig } from '../config.js';
import type { AwaitIndex } from '../consistency/consistent-read.js';
import type { NoteAccess } from '../note-access.js';
import { createAddCandidates } from './add-candidates.js';
import { createExpand } from './expand/expand.js';
import { isExpanded } from './expand/expansion-evidence.js';
import { createHydrate } from './hydrate/hydrate.js';
import { createPlan } from './plan/plan.js';
import { compactReply } from './present/compact.js';
import { createExplain } from './present/explain/explain.js';
import { createIdentities } from './present/identities.js';
import { present } from './present/present.js';
import { createRank } from './rank/rank.js';
import { createRetrieve } from './retrieve/retrieve.js';
import type { SourceDependencies } from './retrieve/sources/sources.js';
import { createScore } from './score/score-search.js';
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
): (request: RequestFor<'recall'>, awaitIndex: AwaitIndex) => Promise<ReplyFor<'recall'>> {
  const { graph, noteAccess, config, metrics = NO_METRICS } = dependencies;
  const scoring = { ...dependencies, termText: createTermText() };
  const shared = { ...dependencies, addCandidates: createAddCandidates(scoring) };
  const makePlan = createPlan(dependencies);
  const retrieve = createRetrieve(dependencies);
  const hydrate = createHydrate(graph);
  const score = createScore(scoring);
  const select = createSelect(shared);
  const expand = createExpand(shared);
  const rank = createRank(shared);
  const explain = createExplain(dependencies);
  const identities = createIdentities({ graph, refreshMs: config.identityRefreshMs, logger: dependencies.logger });

  return async ({ query, context }, awaitIndex) => {
    const { stage: timed, serverTiming, durations } = createStageTimes(context.startedAt);
    const stage = untilGone(timed, context.signal);
    const { plan, searches } = stage('plan', () => makePlan(query, context.tag));
    const retrieved = await stage('retrieve', () => retrieve(searches, { stage, awaitIndex }));
    const hydrated = await stage('hydrate', () => hydrate(retrieved, plan));
    const scored = await stage('score', () => score(hydrated));
    const selected = await stage('select', () => select(scored, plan));
    const expanded = await stage('expand', () => expand(selected, plan));
    const ranked = await stage('rank', () => rank({ ...selected, ...expanded }, plan, stage));
    const outcome = { plan, searches, ...selected, ...expanded, ...ranked };
    const { results } = outcome.selected;
    const body = await stage('present', async () => {
      const explanation = await explain(outcome);
      const tags = results.map(({ memory }) => memory.tags);
      // An identity is written from all memories that name the entity.
      const found = context.tag === null ? identities.find(plan.query, tags) : [];
      const queryTimeMs = performance.now() - context.startedAt;
      const reply = present({ ...outcome, explanation, identities: found, queryTimeMs });
      return plan.isCompact ? compactReply(reply) : reply;
    });
    for (const [name, ms] of durations())
      metrics.observe('palimpsest_recall_stage_duration_seconds', { stage: name }, ms / 1_000);
    return {
      status: 200,
      headers: { 'Server-Timing': serverTiming() },
      body,
      onSent: noteAccess(results.filter((result) => !isExpanded(result)).map(({ memory }) => memory.id)),
    };
  };
}
