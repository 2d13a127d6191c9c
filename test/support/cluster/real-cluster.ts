/** A cluster of the Neo4j of the run and of a second one. Both are empty and have the schema of the graph. */
import { silentLogger } from '../../../shared/kernel/logger.js';
import { startSecondNeo4j } from '../servers/local-servers.js';
import { openEmptyNeo4j } from '../servers/neo4j.js';
import { serverAddress } from '../servers/servers.js';
import { openTestCluster, type TestCluster } from './test-cluster.js';

/** `close` also stops the second server. */
export async function openRealCluster(): Promise<TestCluster> {
  const second = await startSecondNeo4j();
  const ports = [Number(new URL(serverAddress('neo4j')).port), second.port] as const;
  for (const port of ports) await (await openEmptyNeo4j(silentLogger, `bolt://127.0.0.1:${port}`)).close();
  const cluster = await openTestCluster(ports);
  return {
    ...cluster,
    close: async () => {
      await cluster.close();
      await second.stop();
    },
  };
}
