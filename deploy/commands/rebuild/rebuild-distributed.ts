/**
 * Rebuilds the graph in Neo4j from the journal in Postgres, while the service runs. It reads the variables of the
 * command API.
 */
import { openGraphReplay } from '../../../command-api/open-graph-replay.js';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { withAnySignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { createResources } from '../../../shared/kernel/concurrency/resources.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { RuleError } from '../../../shared/kernel/errors.js';
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
    const postgres = await openPostgres({ config: config.postgres, resources, startupRetry });
    const { hold, replay } = openGraphReplay(
      postgres,
      await openNeo4jOnce({ config: config.neo4j, logger, resources }),
    );
    const held = await hold();
    if (held === null)
      throw new RuleError('Another process rebuilds this graph already: `GET /health` shows how far it is');
    resources.add(held, (lock) => lock.release());
    return await withAnySignal([signal, held.lost], (ended) => replay({ onProgress, signal: ended }));
  } finally {
    await resources.close();
  }
};
