/** The configuration of the command API as a separate process: the command side and the servers that it uses. */
import { expectedDimension } from '../shared/engines/models/choose-embedder.js';
import { embeddingVariables } from '../shared/engines/models/embedding-variables.js';
import { languageConfig } from '../shared/engines/models/language-variables.js';
import { neo4jConfig } from '../shared/engines/neo4j/connection/neo4j-variables.js';
import { commitConfig } from '../shared/engines/postgres/commit/commit-variables.js';
import { postgresConfig } from '../shared/engines/postgres/connection/postgres-variables.js';
import { qdrantConfig } from '../shared/engines/qdrant/qdrant-variables.js';
import { DEFAULT_PORTS, edgeConfig } from '../shared/http/edge-variables.js';
import { ConfigurationError, type Environment, readVariables } from '../shared/kernel/config/config.js';
import { readParts } from '../shared/kernel/config/read-parts.js';
import { startConfig } from '../shared/kernel/config/start-variables.js';
import { commandConfig } from './config.js';

export type CommandProcessConfig = ReturnType<typeof commandProcessConfig>;

/** Throws one ConfigurationError with all problems. */
export function commandProcessConfig(environment: Environment) {
  const config = readParts({
    edge: () => edgeConfig(environment, DEFAULT_PORTS.commandApi),
    start: () => startConfig(environment),
    command: () => commandConfig(environment),
    commit: () => commitConfig(environment),
    language: () => languageConfig(environment),
    /** For checking supplied embeddings. Null where only the model or its stored vectors know the size. */
    vectorSize: () => expectedDimension(readVariables(embeddingVariables, environment)),
    postgres: () => postgresConfig(environment),
    neo4j: () => neo4jConfig(environment),
    qdrant: () => qdrantConfig(environment),
  });
  rejectShortLease(config.commit.leaseMs, config.neo4j.callTimeoutMs);
  return config;
}

/** Another process must not roll a commit forward while the process that began it may still be writing to the graph. */
function rejectShortLease(leaseMs: number, callTimeoutMs: number): void {
  if (leaseMs > callTimeoutMs) return;
  throw new ConfigurationError([
    `COMMIT_LEASE_MS must be above NEO4J_RETRY_MS and NEO4J_TRANSACTION_TIMEOUT_MS together, which are ${callTimeoutMs}, not ${leaseMs}`,
  ]);
}
