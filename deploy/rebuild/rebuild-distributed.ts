/** Rebuilds the graph in Neo4j from the journal in Postgres, while the service runs. It reads the variables of the command API. */
import { openGraphReplay } from '../../command-api/open-graph-replay.js';
import { connectNeo4j } from '../../shared/graph/neo4j/connection/connect-neo4j.js';
import { neo4jConfig } from '../../shared/graph/neo4j/connection/neo4j-variables.js';
import { createNeo4jGraphWriter } from '../../shared/graph/neo4j/neo4j-graph-writer.js';
import { journalMigrations } from '../../shared/journal/postgres/migrations.js';
import { withAnySignal } from '../../shared/kernel/concurrency/abort-signals.js';
import { createResources } from '../../shared/kernel/concurrency/resources.js';
import { readParts } from '../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../shared/kernel/config/start-variables.js';
import { RuleError } from '../../shared/kernel/errors.js';
import { openPostgres } from '../../shared/postgres/open-postgres.js';
import { postgresConfig } from '../../shared/postgres/postgres-variables.js';
import type { Rebuild } from './rebuild-options.js';

export const rebuildDistributed: Rebuild = async ({ environment, logger, onProgress, signal }) => {
  const config = readParts({
    start: () => startConfig(environment),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
  });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  const resources = createResources();
  try {
    const postgres = await openPostgres({
      config: config.postgres,
      rooms: [journalMigrations],
      resources,
      startupRetry,
    });
    const connected = await connectNeo4j({ config: config.neo4j, logger });
    const neo4j = resources.add(connected, (opened) => opened.close());
    const { hold, replay } = openGraphReplay({ postgres, neo4j, graphWriter: createNeo4jGraphWriter({ neo4j }) });
    const held = await hold();
    if (held === null)
      throw new RuleError('Another process rebuilds this graph already: `GET /health` shows how far it is');
    resources.add(held, (lock) => lock.release());
    return await withAnySignal([signal, held.lost], (ended) => replay({ onProgress, signal: ended }));
  } finally {
    await resources.close();
  }
};
