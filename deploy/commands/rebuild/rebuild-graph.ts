/** Rebuilds the graph of a composition from its journal. */
import { openGraphReplay } from '../../../command-api/open-graph-replay.js';
import { neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import { openNeo4jOnce } from '../../../shared/engines/neo4j/open.js';
import { postgresConfig } from '../../../shared/engines/postgres/connection/postgres-variables.js';
import { openPostgres } from '../../../shared/engines/postgres/open.js';
import { compactDataFile, openSqlite } from '../../../shared/engines/sqlite/open.js';
import { replayGraph, type ReplayResult } from '../../../shared/integrity/replay/replay-graph.js';
import { withAnySignal } from '../../../shared/kernel/concurrency/abort-signals.js';
import { readParts } from '../../../shared/kernel/config/read-parts.js';
import { startConfig } from '../../../shared/kernel/config/start-variables.js';
import { RuleError } from '../../../shared/kernel/errors.js';
import type { RebuildProgress } from '../../../shared/ports/journal-identity.js';
import { existingDataFile } from '../../embedded/existing-data-file.js';
import type { StoreContext } from '../host.js';

type Rebuild = (
  options: StoreContext & { readonly onProgress: (progress: RebuildProgress) => void },
) => Promise<ReplayResult>;

/**
 * Rebuilds the graph in the data file, and removes unused space from the file. The service must be stopped: one process
 * has the folder at a time.
 */
export const rebuildEmbedded: Rebuild = async ({ environment, logger, resources, onProgress, signal }) => {
  const { folder: dataFolder } = existingDataFile(environment);
  const sqlite = await openSqlite({ dataFolder, logger, resources });
  const prepare = () => Promise.resolve(); // the migrations are done
  const graph = { ...sqlite.graphMark, apply: sqlite.graphWriter.apply, prepare };
  const result = await replayGraph({ ...sqlite, graph, onProgress, signal });
  compactDataFile(dataFolder);
  return result;
};

/** Rebuilds Neo4j from the journal in Postgres, while the service runs. It reads the variables of the command API. */
export const rebuildDistributed: Rebuild = async ({ environment, logger, resources, onProgress, signal }) => {
  const config = readParts({
    start: () => startConfig(environment),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
  });
  const startupRetry = { logger, signal, timeoutMs: config.start.timeoutMs };
  const postgres = await openPostgres({ config: config.postgres, resources, startupRetry });
  const { hold, replay } = openGraphReplay(postgres, await openNeo4jOnce({ config: config.neo4j, logger, resources }));
  const held = await hold();
  if (held === null)
    throw new RuleError('Another process rebuilds this graph already: `GET /health` shows how far it is');
  resources.add(held, (lock) => lock.release());
  return withAnySignal([signal, held.lost], (ended) => replay({ onProgress, signal: ended }));
};
