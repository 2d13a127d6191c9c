/**
 * Opens the query API with its servers. Only Neo4j is required. Without Qdrant, and until Postgres has named the vector
 * index once, recall uses keywords. Without Postgres health reports less, and without Kafka reads are not published and
 * the live stream shows only journalled events.
 */
import { kafkaAddress, openKafkaStream } from '../shared/engines/kafka/open.js';
import { eventTopic } from '../shared/engines/kafka/topics.js';
import { warmUpEncoder } from '../shared/engines/models/bundled/warm-up.js';
import { configuredProvider } from '../shared/engines/models/open-target.js';
import { neo4jAddress, openNeo4j } from '../shared/engines/neo4j/open.js';
import { connectPostgres, postgresAddress } from '../shared/engines/postgres/open.js';
import { qdrantAddress, qdrantPorts } from '../shared/engines/qdrant/open.js';
import { createEdgeHandlers } from '../shared/http/edge-handlers.js';
import type { StartContext } from '../shared/http/run-service.js';
import { createCheckIndexMark, createCheckMark } from '../shared/integrity/journal-mark/check-mark.js';
import { watchHistory } from '../shared/integrity/journal-mark/watch-history.js';
import { createActivityFeed } from './live-stream/activity-feed.js';
import { openVectorSearch } from './open-vector-search.js';
import type { QueryProcessConfig } from './process-config.js';
import { createQueryApi } from './query-api.js';

/**
 * An engine ends a search this long after the recall stopped waiting for it. The recall stops first, because a source
 * that is only too slow does not count as a failed engine.
 */
const ENGINE_GRACE_MS = 500;

export async function openQueryApi(
  context: StartContext<QueryProcessConfig>,
  { isTenant, share }: { readonly isTenant: boolean } & Pick<Parameters<typeof openVectorSearch>[0], 'share'>,
) {
  const { config, version, instance, logger, metrics, clock, resources, startupRetry } = context;
  const { excludedTypes } = config.query.recall;
  const searchTimeoutMs = config.query.recall.sourceTimeoutMs + ENGINE_GRACE_MS;
  const { graphMark, ...neo4j } = await openNeo4j({
    config: config.neo4j,
    warmUp: { excludedTypes, isForRecall: isTenant },
    readsAtMembers: true,
    metrics,
    searchTimeoutMs,
    resources,
    startupRetry,
  });
  // The start does not wait for these: each connects at its first use.
  const postgres = connectPostgres({ config: config.postgres, logger, metrics, resources });
  const { journal, identity, embeddings, topicRecords } = postgres;
  const history = watchHistory({ identity, resources });
  const timeoutMs = Math.min(config.qdrant.timeoutMs, searchTimeoutMs);
  const { indexMark, ...search } = await openVectorSearch({
    settings: config.embedding,
    qdrant: qdrantPorts({ config: { ...config.qdrant, timeoutMs }, logger }),
    spaces: postgres.spaces,
    share,
    instance,
    logger,
    metrics,
    resources,
  });
  const stream = openKafkaStream({ ...postgres, config: config.kafka, logger, metrics, resources });
  const activity = resources.add(createActivityFeed({ source: stream, instance, logger }), (feed) => feed.close());
  const { VECTOR_SIZE: vectorSize } = config.embedding;
  const queryApi = createQueryApi({
    ...postgres,
    ...neo4j,
    ...search,
    configuredProvider: configuredProvider(config.embedding),
    archive: { journal, identity, embeddings },
    activity,
    instance,
    clock,
    logger,
    metrics,
    publisher: stream,
    topicRecord: () => topicRecords.find(eventTopic(config.kafka)),
    checkMark: createCheckMark({ journal: identity, graph: graphMark }),
    checkIndexMark: createCheckIndexMark({ journal: identity, index: indexMark }),
    config: config.query,
    about: { version, graph: config.neo4j.database, vectorSize },
  });
  await warmUpEncoder(search.embedder, logger);
  await history.firstRead;
  return {
    handlers: {
      ...queryApi.handlers,
      ...createEdgeHandlers({
        pings: { graph: () => neo4j.graph.ping() },
        version,
        vectorSize: vectorSize ?? search.embedder.dimension,
      }),
    },
    failed: history.changed,
    checkKey: queryApi.checkKey,
    historyId: history.id,
    tenants: postgres.tenants,
    uses: [
      neo4jAddress(config.neo4j),
      qdrantAddress(config.qdrant),
      postgresAddress(config.postgres),
      kafkaAddress(config.kafka),
    ],
  };
}
