/**
 * Opens the command API over its servers. It needs Postgres and Neo4j to start. It also serves without Qdrant: then it answers that
 * vectors are queued, or that their state is unknown.
 */
import type { Failpoints } from '../shared/commit/committer.js';
import { createGuardedCommitter } from '../shared/commit/guarded-committer.js';
import { eraseRest } from '../shared/commit/outbox/erasing/erase-rest.js';
import type { CommitGraph } from '../shared/commit/outbox/graph-guard.js';
import { createOutboxCommitter } from '../shared/commit/outbox/outbox-committer.js';
import { startCleaning } from '../shared/commit/start-cleaning.js';
import { embeddingCacheMigrations } from '../shared/embedding/postgres/migrations.js';
import { neo4jPlace, openNeo4j } from '../shared/graph/neo4j/connection/open-neo4j.js';
import type { Neo4j } from '../shared/graph/neo4j/neo4j.js';
import { createNeo4jGraphInspector } from '../shared/graph/neo4j/neo4j-graph-inspector.js';
import { createNeo4jGraphMark } from '../shared/graph/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphReader } from '../shared/graph/neo4j/neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../shared/graph/neo4j/neo4j-graph-writer.js';
import { warmUpReads, warmUpWrites } from '../shared/graph/neo4j/warm-up.js';
import { createEdgeHandlers } from '../shared/http/edge-handlers.js';
import { openApiDocument } from '../shared/http/openapi/openapi-document.js';
import { pingAll } from '../shared/http/readiness.js';
import type { StartContext, StartedService } from '../shared/http/run-service.js';
import { jobsMigrations } from '../shared/jobs/postgres/migrations.js';
import { createPostgresJobs } from '../shared/jobs/postgres/postgres-jobs.js';
import { startJobRunner } from '../shared/jobs/run-jobs.js';
import { beginMark } from '../shared/journal/check-mark.js';
import { journalMigrations } from '../shared/journal/postgres/migrations.js';
import { createPostgresDeadLetters } from '../shared/journal/postgres/postgres-dead-letters.js';
import { createPostgresJournal } from '../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../shared/journal/postgres/postgres-journal-identity.js';
import { createPostgresProjectorStates } from '../shared/journal/postgres/postgres-projector-states.js';
import { startGraphRebuilder } from '../shared/journal/replay/graph-rebuilder.js';
import { createTrackMark } from '../shared/journal/track-mark.js';
import { watchMark } from '../shared/journal/watch-mark.js';
import { retryStartup } from '../shared/kernel/concurrency/startup-retry.js';
import { ConfigurationError } from '../shared/kernel/config/config.js';
import { DependencyError } from '../shared/kernel/errors.js';
import { createLanguageModel } from '../shared/language/language-variables.js';
import { createPostgresMaintenanceLock } from '../shared/maintenance/postgres/postgres-maintenance-lock.js';
import { openPostgres, postgresPlace } from '../shared/postgres/open-postgres.js';
import type { Postgres } from '../shared/postgres/postgres.js';
import { openQdrantVectorReader } from '../shared/vectors/qdrant/open-qdrant-vector-reader.js';
import { qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { spaceMigrations } from '../shared/vectors/spaces/postgres/migrations.js';
import { createPostgresVectorSpaces } from '../shared/vectors/spaces/postgres/postgres-vector-spaces.js';
import { routedReader } from '../shared/vectors/spaces/routed-vectors.js';
import { followSpaces } from '../shared/vectors/spaces/space-follower.js';
import { createCommandApi } from './command-api.js';
import { createRunGraphRebuild } from './maintenance/run-graph-rebuild.js';
import { openGraphReplay } from './open-graph-replay.js';
import type { CommandProcessConfig } from './process-config.js';

/** `failpoints` make commits fail in tests; a process in production has none. */
export async function openCommandApi(
  {
    config,
    version,
    instance,
    logger,
    metrics,
    clock,
    ids,
    resources,
    startupRetry,
  }: StartContext<CommandProcessConfig>,
  testing: { readonly failpoints?: Failpoints } = {},
): Promise<StartedService> {
  const rooms = [journalMigrations, embeddingCacheMigrations, spaceMigrations, jobsMigrations];
  const postgres = await openPostgres({ config: config.postgres, rooms, metrics, resources, startupRetry });
  const neo4j = await openNeo4j({ config: config.neo4j, warmUp, resources, startupRetry });
  const [graph, graphWriter] = [createNeo4jGraphReader({ neo4j }), createNeo4jGraphWriter({ neo4j })];
  const journal = createPostgresJournal({ postgres });
  const follower = resources.add(openVectors({ config, postgres, instance, logger }), (opened) => opened.close());
  const problem = await follower.firstAttempt;
  if (problem instanceof ConfigurationError) throw problem;
  const vectors = routedReader(follower, config.vectorSize);
  const marks = { journal: createPostgresJournalIdentity({ postgres }), graph: createNeo4jGraphMark({ neo4j }) };
  await retryStartup('the mark of the graph', () => beginMark(marks), startupRetry);
  const checkMark = createTrackMark({ ...marks, expectMark: graphWriter.expectMark });
  const watch = resources.add(await watchMark({ checkMark, logger }), (opened) => opened.close());
  const commitGraph: CommitGraph = {
    ping: graph.ping,
    apply: async (events, limits) => {
      watch.requireSameJournal();
      await graphWriter.apply(events, limits);
    },
  };
  const committer = resources.add(
    createOutboxCommitter({ postgres, graph: commitGraph, logger, metrics, config: config.commit, ...testing }),
    (opened) => opened.close(),
  );
  const cleaning = { graph: () => graphWriter.clearHub(), journal: () => eraseRest(postgres) };
  resources.add(startCleaning({ ...cleaning, logger }), (started) => started.close());
  const { hold, replay } = openGraphReplay({ postgres, neo4j, graphWriter });
  const { rebuildRestPercent: restPercent } = config.commit;
  if (config.commit.rebuildsGraph) {
    const rebuilder = startGraphRebuilder({
      finding: watch.finding,
      hold,
      replay: (signal) => replay({ signal, onlyIfBehind: true, restPercent }),
      logger,
    });
    resources.add(rebuilder, (started) => started.close());
  }
  const jobs = createPostgresJobs({ postgres });
  const runGraphRebuild = createRunGraphRebuild({ hold, replay: (options) => replay({ ...options, restPercent }) });
  const runner = startJobRunner({
    jobs,
    lock: createPostgresMaintenanceLock({ postgres }),
    runs: new Map([['rebuild-graph', runGraphRebuild]]),
    logger,
  });
  resources.add(runner, (started) => started.close());
  const commandApi = createCommandApi({
    jobs,
    committer: createGuardedCommitter(committer, watch.requireSameJournal),
    graphState: watch,
    graph,
    graphWriter,
    inspector: createNeo4jGraphInspector({ neo4j }),
    vectors,
    journal,
    clock,
    ids,
    logger,
    vectorSize: () => vectors.dimension ?? unknownSize(),
    deadLetters: createPostgresDeadLetters({ postgres }),
    projectorStates: createPostgresProjectorStates({ postgres }),
    language: createLanguageModel(config.language, { logger }),
    config: config.command,
  });
  const ready = () =>
    pingAll({
      graph: () => graph.ping(),
      journal: () => journal.ping(),
      mark: async () => watch.requireSameJournal(),
    });
  return {
    handlers: {
      ...commandApi.handlers,
      ...commandApi.internalHandlers,
      ...createEdgeHandlers({ ready, openapi: openApiDocument({ version, vectorSize: vectors.dimension }) }),
    },
    uses: [postgresPlace(config.postgres), neo4jPlace(config.neo4j), qdrantPlace(config.qdrant)],
  };
}

async function warmUp(neo4j: Neo4j): Promise<void> {
  await warmUpReads(neo4j, { excludedTypes: [] });
  await warmUpWrites(neo4j);
}

/** The command side reads versions of points, and never searches, so it needs no embedder. */
function openVectors({
  config,
  postgres,
  instance,
  logger,
}: Pick<StartContext<CommandProcessConfig>, 'config' | 'instance' | 'logger'> & { readonly postgres: Postgres }) {
  return followSpaces({
    spaces: createPostgresVectorSpaces({ postgres }),
    instance,
    open: async ({ number }) => ({ vectors: await openQdrantVectorReader({ config: config.qdrant, number }) }),
    close: async () => undefined,
    logger,
  });
}

function unknownSize(): never {
  throw new DependencyError(
    'vectors',
    'The vector size is unknown while Qdrant does not answer: try again, or leave the embedding out',
  );
}
