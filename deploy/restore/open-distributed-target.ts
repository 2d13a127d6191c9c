/** Opens the empty servers of a stopped distributed deployment for a restore. `npm run migrate` must have prepared them. */
import { eraseRest } from '../../shared/commit/outbox/erasing/erase-rest.js';
import { createPostgresJournalLoader } from '../../shared/commit/outbox/loading/postgres-journal-loader.js';
import { embeddingCacheMigrations } from '../../shared/embedding/postgres/migrations.js';
import { createPostgresEmbeddingCache } from '../../shared/embedding/postgres/postgres-embedding-cache.js';
import { connectNeo4j } from '../../shared/graph/neo4j/connection/connect-neo4j.js';
import { neo4jConfig } from '../../shared/graph/neo4j/connection/neo4j-variables.js';
import { createNeo4jGraphMark } from '../../shared/graph/neo4j/neo4j-graph-mark.js';
import { createNeo4jGraphWriter } from '../../shared/graph/neo4j/neo4j-graph-writer.js';
import { ensureNeo4jSchema } from '../../shared/graph/neo4j/schema/schema.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { createPostgresJournal } from '../../shared/journal/postgres/postgres-journal.js';
import { createPostgresJournalIdentity } from '../../shared/journal/postgres/postgres-journal-identity.js';
import type { Resources } from '../../shared/kernel/concurrency/resources.js';
import type { Environment } from '../../shared/kernel/config/config.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import type { Logger } from '../../shared/kernel/logger.js';
import { requireSchema } from '../../shared/postgres/migrate-postgres.js';
import { createPostgres } from '../../shared/postgres/postgres-pool.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import { createQdrantIndexMark } from '../../shared/vectors/qdrant/qdrant-index-mark.js';
import { qdrantConfig } from '../../shared/vectors/qdrant/qdrant-variables.js';
import { spaceMigrations } from '../../shared/vectors/spaces/postgres/migrations.js';
import { createPostgresVectorSpaces } from '../../shared/vectors/spaces/postgres/postgres-vector-spaces.js';
import type { RestoreTarget } from './restore-archive.js';

export async function openDistributedTarget({
  environment,
  logger,
  resources,
}: {
  readonly environment: Environment;
  readonly logger: Logger;
  readonly resources: Resources;
}): Promise<RestoreTarget> {
  const config = readParts({
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
  });
  const postgres = resources.add(createPostgres({ config: config.postgres, logger }), (open) => open.close());
  await requireSchema(postgres, [journalMigrations, embeddingCacheMigrations, spaceMigrations]);
  const space = await createPostgresVectorSpaces({ postgres }).active();
  const neo4j = resources.add(await connectNeo4j({ config: config.neo4j, logger }), (open) => open.close());
  const { apply } = createNeo4jGraphWriter({ neo4j });
  return {
    journal: createPostgresJournal({ postgres }),
    identity: createPostgresJournalIdentity({ postgres }),
    graph: { ...createNeo4jGraphMark({ neo4j }), apply, prepare: () => ensureNeo4jSchema(neo4j) },
    index: createQdrantIndexMark({ config: config.qdrant, number: space?.number ?? 1 }),
    loader: createPostgresJournalLoader({ postgres }),
    cache: createPostgresEmbeddingCache({ postgres }),
    eraseRest: () => eraseRest(postgres),
  };
}
