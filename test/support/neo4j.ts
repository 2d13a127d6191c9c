/** The Neo4j to test on. The Community Edition has one database: whoever opens a graph in it finds it wiped. */
import { createNeo4jGraphReader } from '../../shared/graph/neo4j/create-neo4j-graph-reader.js';
import { createNeo4jGraphWriter } from '../../shared/graph/neo4j/create-neo4j-graph-writer.js';
import { connectNeo4j } from '../../shared/graph/neo4j/connect-neo4j.js';
import { neo4jConfig, type Neo4jConfig } from '../../shared/graph/neo4j/neo4j-variables.js';
import type { Neo4j } from '../../shared/graph/neo4j/neo4j.js';
import { ensureNeo4jSchema } from '../../shared/graph/neo4j/schema.js';
import { silentLogger, type Logger } from '../../shared/kernel/logger.js';
import type { OpenGraph } from './graph-adapters.js';
import { neo4jCredentials, serverAddress } from './servers.js';

export function testNeo4jConfig(variables: Readonly<Record<string, string>> = {}): Neo4jConfig {
  const { user, password } = neo4jCredentials();
  return neo4jConfig({ NEO4J_URL: serverAddress('neo4j'), NEO4J_USER: user, NEO4J_PASSWORD: password, ...variables });
}

/** Connected, wiped, and with its schema. */
export async function openEmptyNeo4j(logger: Logger = silentLogger): Promise<Neo4j> {
  const neo4j = await connectNeo4j({ config: testNeo4jConfig(), logger });
  await wipe(neo4j);
  await ensureNeo4jSchema(neo4j);
  return neo4j;
}

export async function openNeo4jGraph(logger?: Logger): Promise<OpenGraph> {
  const neo4j = await openEmptyNeo4j(logger);
  return { reader: createNeo4jGraphReader({ neo4j }), writer: createNeo4jGraphWriter({ neo4j }), close: () => neo4j.close() };
}

const WIPED_AT_ONCE = 5_000;

async function wipe(neo4j: Neo4j): Promise<void> {
  for (;;) {
    const [row] = await neo4j.read({ text: 'MATCH (n) RETURN count(n) AS nodes', parameters: {} });
    if (row?.['nodes'] === 0) return;
    await neo4j.write([{ text: 'MATCH (n) WITH n LIMIT toInteger($most) DETACH DELETE n', parameters: { most: WIPED_AT_ONCE } }]);
  }
}
