/** Opens the command API. It starts without Qdrant too: then the state of vectors is queued, or unknown. */
import { createLanguageModel } from '../shared/engines/models/language-variables.js';
import { neo4jAddress, openNeo4j } from '../shared/engines/neo4j/open.js';
import { openPostgres, postgresAddress } from '../shared/engines/postgres/open.js';
import { qdrantAddress, qdrantPorts } from '../shared/engines/qdrant/open.js';
import { createEdgeHandlers } from '../shared/http/edge-handlers.js';
import type { StartContext, StartedService } from '../shared/http/run-service.js';
import { watchHistory } from '../shared/integrity/journal-mark/watch-history.js';
import { startJobRunner } from '../shared/jobs/run-jobs.js';
import type { Failpoints } from '../shared/ports/committer.js';
import { createCommandApi } from './command-api.js';
import { createRunGraphRebuild } from './maintenance/graph-rebuild.js';
import { openCommitter } from './open-committer.js';
import { openPointReader } from './open-point-reader.js';
import { openTenants } from './open-tenants.js';
import type { CommandProcessConfig } from './process-config.js';

type TenantName = { readonly id: string; readonly name: string };

/** `failpoints` make commits fail in tests; a process in production has none. */
export async function openCommandApi(
  context: StartContext<CommandProcessConfig>,
  { tenant = null, ...testing }: { readonly failpoints?: Failpoints; readonly tenant?: TenantName | null } = {},
): Promise<StartedService> {
  const { config, version, logger, metrics, clock, ids, resources, startupRetry } = context;
  const postgres = await openPostgres({ config: config.postgres, metrics, resources, startupRetry });
  const neo4j = await openNeo4j({
    config: config.neo4j,
    warmUp: tenant === null ? { writes: true } : null,
    resources,
    startupRetry,
  });
  const qdrant = qdrantPorts({ config: config.qdrant, logger });
  const points = await openPointReader({ ...context, spaces: postgres.spaces, qdrant, vectorSize: config.vectorSize });
  const { graphReplay, graphState, committer } = await openCommitter({
    ...context,
    postgres,
    neo4j,
    config: config.commit,
    tenant,
    ...testing,
  });
  const runs = new Map([['rebuild-graph' as const, createRunGraphRebuild(graphReplay)]]);
  resources.add(startJobRunner({ ...postgres, runs, logger }), (started) => started.close());
  const tenants =
    tenant === null
      ? openTenants(context, { records: postgres.tenants, open: (own, each) => openCommandApi(own, { tenant: each }) })
      : null;
  const commandApi = createCommandApi({
    ...postgres,
    ...neo4j,
    ...points,
    committer,
    graphState,
    tenant,
    tenants: tenants?.administration ?? null,
    clock,
    ids,
    logger,
    language: createLanguageModel(config.language, { logger }),
    config: config.command,
  });
  const pings = {
    graph: () => neo4j.graph.ping(),
    journal: () => postgres.journal.ping(),
    mark: async () => graphState.requireSameJournal(),
  };
  const history = watchHistory({ identity: postgres.identity, resources });
  await history.firstRead;
  return {
    handlers: {
      ...commandApi.handlers,
      ...commandApi.internalHandlers,
      ...createEdgeHandlers({ pings, version, vectorSize: points.vectors.dimension }),
    },
    failed: history.changed,
    checkKey: commandApi.checkKey,
    historyId: history.id,
    ...(tenants !== null && { tenancy: tenants.services }),
    usage: async () => {
      const [{ memories }, { bytes }] = await Promise.all([
        neo4j.graph.counts({ excludedTypes: [] }),
        postgres.journal.size(),
      ]);
      return { memories, bytes };
    },
    uses: [postgresAddress(config.postgres), neo4jAddress(config.neo4j), qdrantAddress(config.qdrant)],
  };
}
