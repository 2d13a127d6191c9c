/** The Neo4j of the tests. The Community Edition has one database, so opening a graph wipes it first. */
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import { type Neo4jConfig, neo4jConfig } from '../../../shared/engines/neo4j/connection/neo4j-variables.js';
import type { Neo4j } from '../../../shared/engines/neo4j/neo4j.js';
import { ensureNeo4jSchema } from '../../../shared/engines/neo4j/schema/schema.js';
import { type Logger, silentLogger } from '../../../shared/kernel/logger.js';
import { neo4jCredentials, serverAddress } from './servers.js';

/** A newly started server on a busy machine needs seconds to plan its first statements. */
const TEST_TIMEOUT_MS = 20_000;

export function testNeo4jConfig(variables: Readonly<Record<string, string>> = {}): Neo4jConfig {
  const { user, password } = neo4jCredentials();
  const config = neo4jConfig({
    NEO4J_TRANSACTION_TIMEOUT_MS: String(TEST_TIMEOUT_MS),
    NEO4J_URL: serverAddress('neo4j'),
    NEO4J_USER: user,
    NEO4J_PASSWORD: password,
    ...variables,
  });
  return { ...config, connectTimeoutMs: TEST_TIMEOUT_MS };
}

/** Connects, wipes the database and creates the schema. `url`: of another server than that of the run. */
export async function openEmptyNeo4j(logger: Logger = silentLogger, url = serverAddress('neo4j')): Promise<Neo4j> {
  const neo4j = await connectNeo4j({ config: testNeo4jConfig({ NEO4J_URL: url }), logger });
  await wipeNeo4j(neo4j);
  await ensureNeo4jSchema(neo4j);
  return neo4j;
}

const WIPE_BATCH = 1_000;

/** Deletes everything, the node with the version of the schema included. */
export async function wipeNeo4j(neo4j: Neo4j): Promise<void> {
  for (;;) {
    const [row] = await neo4j.read({ text: 'MATCH (n) RETURN count(n) AS nodes', given: {} });
    if (row?.['nodes'] === 0) return;
    await neo4j.write([
      { text: 'MATCH (n) WITH n LIMIT toInteger($given.most) DETACH DELETE n', given: { most: WIPE_BATCH } },
    ]);
  }
}
