/**
 * Opens the projectors over their servers: Kafka, Postgres, Neo4j and Qdrant. Their HTTP port answers health probes
 * only.
 */
import { createCommandSender } from '../shared/client/command-sender.js';
import { kafkaAddress, openKafkaStream } from '../shared/engines/kafka/open.js';
import { warmUpEncoder } from '../shared/engines/models/bundled/warm-up.js';
import { createDescribe } from '../shared/engines/models/language-variables.js';
import { neo4jAddress, openNeo4j } from '../shared/engines/neo4j/open.js';
import { openPostgres, postgresAddress } from '../shared/engines/postgres/open.js';
import { qdrantAddress } from '../shared/engines/qdrant/open.js';
import { createProbes } from '../shared/http/edge-handlers.js';
import type { StartContext } from '../shared/http/run-service.js';
import { watchHistory } from '../shared/integrity/journal-mark/watch-history.js';
import { startJobRunner } from '../shared/jobs/run-jobs.js';
import { retryStartup } from '../shared/kernel/concurrency/startup-retry.js';
import { openVectorIndex } from './open-vector-index.js';
import type { ProjectorProcessConfig } from './process-config.js';
import { createProjectors } from './projectors.js';

export async function openProjectors(
  context: StartContext<ProjectorProcessConfig>,
  { isTenant, share }: { readonly isTenant: boolean } & Pick<Parameters<typeof openVectorIndex>[0], 'share'>,
) {
  const { config, instance, logger, metrics, clock, resources, startupRetry } = context;
  const postgres = await openPostgres({ config: config.postgres, metrics, resources, startupRetry });
  const { indexMark, ...index } = await openVectorIndex({
    settings: config.embedding,
    config: config.qdrant,
    spaces: postgres.spaces,
    share,
    instance,
    metrics,
    resources,
    startupRetry,
  });
  const neo4j = await openNeo4j({ config: config.neo4j, warmUp: isTenant ? null : {}, resources, startupRetry });
  const stream = openKafkaStream({ ...postgres, config: config.kafka, logger, metrics, resources });
  const commands = createCommandSender({ urls: config.commandApiUrls, token: config.internalToken });
  const projectors = await retryStartup(
    kafkaAddress(config.kafka),
    () =>
      createProjectors({
        ...postgres,
        ...neo4j,
        ...index,
        ...commands,
        source: stream,
        publisher: stream,
        metrics,
        logger,
        clock,
        instance,
        indexMarks: { journal: postgres.identity, index: indexMark },
        states: postgres.projectorStates,
        describe: createDescribe(config.language, { model: config.projectors.consolidation.identity.model, logger }),
        config: config.projectors,
      }),
    startupRetry,
  );
  resources.add(projectors, (running) => running.close());
  await warmUpEncoder(index.embedder, logger);
  resources.add(startJobRunner({ ...postgres, runs: projectors.runs, logger }), (started) => started.close());
  return {
    handlers: createProbes({
      journal: () => postgres.journal.ping(),
      stream: () => stream.ping(),
      vectors: () => index.vectors.ping(),
    }),
    postgres,
    tenants: postgres.tenants,
    failed: watchHistory({ identity: postgres.identity, resources }).changed,
    uses: [
      kafkaAddress(config.kafka),
      postgresAddress(config.postgres),
      neo4jAddress(config.neo4j),
      qdrantAddress(config.qdrant),
      `the command API at ${config.commandApiUrls.join(', ')}`,
    ],
  };
}
