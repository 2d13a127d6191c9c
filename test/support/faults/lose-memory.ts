/** Deletes a memory straight from the graph of a running service, as a fault of the database does: no event says so. */
import { join } from 'node:path';
import { connectNeo4j } from '../../../shared/engines/neo4j/connection/connect-neo4j.js';
import { DATA_FILE } from '../../../shared/engines/sqlite/open.js';
import { procedure } from '../../../shared/engines/sqlite/threads/host.js';
import { createSqliteHost } from '../../../shared/engines/sqlite/threads/threaded-host.js';
import { silentLogger } from '../../../shared/kernel/logger.js';
import { testNeo4jConfig } from '../servers/neo4j.js';

/** A second host writes into the file of the service. */
export async function loseMemoryInFile(dataFolder: string, id: string): Promise<void> {
  const host = await createSqliteHost({ file: join(dataFolder, DATA_FILE), readers: 1, migrations: [] });
  try {
    await host.write(deleteMemory, id);
  } finally {
    await host.close();
  }
}

export const deleteMemory = procedure(import.meta.url, 'deleteMemory', (database, id: string): void => {
  const n = database.get('SELECT n FROM memories WHERE id = ?', [id])?.['n'] ?? null;
  database.run('DELETE FROM associations WHERE source = ?1 OR target = ?1', [n]);
  database.run('DELETE FROM memory_bodies WHERE n = ?', [n]);
  database.run('DELETE FROM memories WHERE n = ?', [n]);
});

export async function loseMemoryInNeo4j(id: string): Promise<void> {
  const neo4j = await connectNeo4j({ config: testNeo4jConfig(), logger: silentLogger });
  try {
    await neo4j.write([{ text: 'MATCH (m:Subject {id: $given.id}) DETACH DELETE m', given: { id } }]);
  } finally {
    await neo4j.close();
  }
}
