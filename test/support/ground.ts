/** An empty ground for one distributed service on the servers of this run: made, migrated, and removed afterwards. */
import neo4j from 'neo4j-driver';
import pg from 'pg';
import { layGround, migrate, type Ground } from './fleet.js';
import { neo4jCredentials, serverAddress } from './servers.js';

export async function openGround(): Promise<{ readonly ground: Ground; readonly remove: () => Promise<void> }> {
  const ground = await layGround({ createDatabase, wipeGraph });
  await migrate(ground);
  return {
    ground,
    remove: async () => {
      await dropDatabase(ground.database);
      await ground.folder.remove();
    },
  };
}

async function createDatabase(name: string): Promise<string> {
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(serverAddress('postgres'));
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabase(name: string): Promise<void> {
  await administer(`DROP DATABASE ${name} WITH (FORCE)`);
}

async function administer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverAddress('postgres') });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function wipeGraph(): Promise<void> {
  const { user, password } = neo4jCredentials();
  const driver = neo4j.driver(serverAddress('neo4j'), neo4j.auth.basic(user, password));
  const session = driver.session();
  try {
    await session.run('MATCH (n) CALL (n) { DETACH DELETE n } IN TRANSACTIONS OF 5000 ROWS');
  } finally {
    await session.close();
    await driver.close();
  }
}
