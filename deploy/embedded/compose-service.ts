/**
 * Composes all services in one process, behind one HTTP surface: the command side, the projectors and the query side.
 * The caller opens the engines; any implementation of their ports works here.
 */
import { createCommandApi } from '../../command-api/command-api.js';
import { createRunGraphRebuild } from '../../command-api/maintenance/graph-rebuild.js';
import { createProjectors } from '../../projectors/projectors.js';
import { createActivityFeed } from '../../query-api/live-stream/activity-feed.js';
import { createQueryApi } from '../../query-api/query-api.js';
import { createDescribe, createLanguageModel } from '../../shared/engines/models/language-variables.js';
import type { CheckKey } from '../../shared/http/auth.js';
import type { CommandOperation, Handlers, QueryOperation } from '../../shared/http/handler.js';
import { createCheckIndexMark } from '../../shared/integrity/journal-mark/check-mark.js';
import { startJobRunner } from '../../shared/jobs/run-jobs.js';
import { readGauges } from '../../shared/journal/read-gauges.js';
import { NO_METRICS } from '../../shared/kernel/metrics/metrics.js';
import type { ServiceOptions } from './engines.js';
import { settleAll } from './settle-all.js';

export type { ServiceOptions };

export type ComposedService = {
  readonly handlers: Handlers<CommandOperation | QueryOperation>;
  readonly checkKey: CheckKey;
  /** The identity of the journal, which stays the same while this process has the engines. */
  readonly historyId: string;
  /** Resolves when every event in the stream is projected, and every event that the projectors wrote meanwhile. */
  readonly settled: () => Promise<void>;
  /** Whether every event is projected and nothing else waits: no job, and no webhook that may have a delivery. */
  readonly isQuiet: () => Promise<boolean>;
};

export async function composeService({ metrics = NO_METRICS, ...options }: ServiceOptions): Promise<ComposedService> {
  const { engines, committer, graphState, config, version, instance, logger, clock, ids, resources } = options;
  const { openRequests, tenant } = options;
  const tenantId = tenant?.id ?? '';
  const { journal, stream, vectors } = engines;
  resources.add(
    metrics.report(() => readGauges(engines)),
    (end) => end(),
  );
  const language = createLanguageModel(config.language, { logger });
  const commandApi = createCommandApi({
    ...engines,
    committer,
    graphState,
    tenant,
    tenants: options.tenants,
    language,
    clock,
    ids,
    logger,
    vectorSize: () => vectors.dimension,
    config: config.command,
  });
  const activity = resources.add(createActivityFeed({ source: stream, instance, logger }), (feed) => feed.close());
  const queryApi = createQueryApi({
    ...engines,
    publisher: stream,
    checkIndexMark: createCheckIndexMark(engines.indexMarks),
    activity,
    instance,
    config: config.query,
    clock,
    logger,
    metrics,
    about: { version, graph: 'memories' },
  });
  const projectors = await createProjectors({
    ...engines,
    source: stream,
    publisher: stream,
    states: engines.projectorStates,
    recordAccess: commandApi.recordAccess,
    recordEnrichments: commandApi.recordEnrichments,
    recordConsolidation: commandApi.recordConsolidation,
    onIndexed: commandApi.onIndexed,
    describe: createDescribe(config.language, { model: config.projectors.consolidation.identity.model, logger }),
    areCallersWaiting: () => openRequests.count() > 0,
    giveWay: openRequests.giveWayOf(tenantId),
    config: config.projectors,
    metrics,
    logger,
    clock,
    instance,
  });
  resources.add(projectors, (running) => running.close());
  const runs = new Map([...projectors.runs, ['rebuild-graph' as const, createRunGraphRebuild(engines.graphReplay)]]);
  resources.add(startJobRunner({ ...engines, runs, logger }), (started) => started.close());
  const handlers = { ...commandApi.handlers, ...queryApi.handlers };
  const { id: historyId } = await engines.archive.identity.state();
  return {
    handlers: openRequests.counting<CommandOperation | QueryOperation>(handlers, tenantId),
    checkKey: queryApi.checkKey,
    historyId,
    settled: () => settleAll({ journal, settle: projectors.settled }),
    isQuiet: async () => {
      const head = await journal.head();
      if (projectors.status().some(({ position }) => position < head)) return false;
      if ((await engines.jobs.unfinished()) !== null) return false;
      return (await engines.webhooks.list()).every(({ disabledReason }) => disabledReason !== null);
    },
  };
}
