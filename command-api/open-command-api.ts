/**
 * The command API over its servers. It needs Postgres and Neo4j to start. Without Qdrant it serves all the same, and says of vectors that
 * they are queued or that it cannot know.
 */
import type { Failpoints } from '../shared/commit/committer.js';
import { createOutboxCommitter } from '../shared/commit/outbox/create-outbox-committer.js';
import { embeddingCacheMigrations } from '../shared/embedding/postgres/migrations.js';
import { createNeo4jGraphReader } from '../shared/graph/neo4j/create-neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../shared/graph/neo4j/create-neo4j-graph-writer.js';
import { neo4jPlace, openNeo4j } from '../shared/graph/neo4j/open-neo4j.js';
import type { Neo4j } from '../shared/graph/neo4j/neo4j.js';
import { warmUpReads, warmUpWrites } from '../shared/graph/neo4j/warm-up.js';
import { demandAnswers } from '../shared/http/demand-answers.js';
import { createEdgeHandlers } from '../shared/http/edge-handlers.js';
import { openApiDocument } from '../shared/http/openapi.js';
import type { Opened, Opening } from '../shared/http/run-service.js';
import { createPostgresDeadLetters } from '../shared/journal/postgres/create-postgres-dead-letters.js';
import { createPostgresJournal } from '../shared/journal/postgres/create-postgres-journal.js';
import { createPostgresProjectorStates } from '../shared/journal/postgres/create-postgres-projector-states.js';
import { journalMigrations } from '../shared/journal/postgres/migrations.js';
import { ConfigurationError } from '../shared/kernel/config.js';
import { DependencyError } from '../shared/kernel/errors.js';
import { createLanguageModel } from '../shared/language/language-variables.js';
import { openPostgres, postgresPlace } from '../shared/postgres/open-postgres.js';
import { createLateVectorReader } from '../shared/vectors/create-late-vector-reader.js';
import { openQdrantVectorReader } from '../shared/vectors/qdrant/open-qdrant-vector-reader.js';
import { qdrantPlace } from '../shared/vectors/qdrant/qdrant-variables.js';
import { createCommandApi } from './create-command-api.js';
import type { CommandProcessConfig } from './process-config.js';

/** `failpoints` break commits on purpose; no process that serves has any. */
export async function openCommandApi(
  { config, version, logger, clock, ids, resources, patience }: Opening<CommandProcessConfig>,
  testing: { readonly failpoints?: Failpoints } = {},
): Promise<Opened> {
  const rooms = [journalMigrations, embeddingCacheMigrations];
  const postgres = await openPostgres({ config: config.postgres, rooms, resources, patience });
  const neo4j = await openNeo4j({ config: config.neo4j, warmUp, resources, patience });
  const [graph, graphWriter] = [createNeo4jGraphReader({ neo4j }), createNeo4jGraphWriter({ neo4j })];
  const journal = createPostgresJournal({ postgres });
  const vectors = resources.add(openVectors({ config, logger }), (opened) => opened.close());
  const problem = await vectors.tried;
  if (problem instanceof ConfigurationError) throw problem;
  const commitGraph = { apply: graphWriter.apply, ping: graph.ping };
  const committer = resources.add(
    createOutboxCommitter({ postgres, graph: commitGraph, clock, logger, config: config.commit, ...testing }),
    (opened) => opened.close(),
  );
  const commandApi = createCommandApi({
    committer,
    graph,
    graphWriter,
    vectors,
    journal,
    clock,
    ids,
    logger,
    vectorSize: () => vectors.dimension ?? unknownSize(),
    deadLetters: createPostgresDeadLetters({ postgres }),
    projectorStates: createPostgresProjectorStates({ postgres }),
    language: createLanguageModel(config.language, { logger, clock }),
    config: config.command,
  });
  const ready = () => demandAnswers({ graph: () => graph.ping(), journal: () => journal.ping() });
  return {
    handlers: {
      ...commandApi.handlers,
      ...commandApi.internalHandlers,
      ...createEdgeHandlers({ ready, openapi: openApiDocument({ version }) }),
    },
    uses: [postgresPlace(config.postgres), neo4jPlace(config.neo4j), qdrantPlace(config.qdrant)],
  };
}

async function warmUp(neo4j: Neo4j): Promise<void> {
  await warmUpReads(neo4j, { excludedTypes: [] });
  await warmUpWrites(neo4j);
}

function openVectors({ config, logger }: Pick<Opening<CommandProcessConfig>, 'config' | 'logger'>) {
  const open = () => openQdrantVectorReader({ config: config.qdrant });
  return createLateVectorReader({ open, expectedDimension: config.vectorSize, logger });
}

function unknownSize(): never {
  throw new DependencyError(
    'vectors',
    'The size of vectors is not known while Qdrant does not answer: try again, or leave the embedding out',
  );
}
