/** Counts the transactions that Postgres and Neo4j have committed so far, to show the effect of group commit. */
import neo4j from 'neo4j-driver';
import pg from 'pg';
import type { ServerAddresses } from './server-floors.js';

export type TransactionCounts = { readonly postgres: number; readonly neo4j: number };

/** Commits one small transaction in Neo4j itself. Postgres reports its statistics with a delay of up to a second. */
export async function countTransactions({
  postgresUrl,
  neo4j: graph,
}: Pick<ServerAddresses, 'postgresUrl' | 'neo4j'>): Promise<TransactionCounts> {
  return { postgres: await postgresTransactions(postgresUrl), neo4j: await neo4jTransactions(graph) };
}

async function postgresTransactions(connectionString: string): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ commits: string }>(
      'SELECT xact_commit AS commits FROM pg_stat_database WHERE datname = current_database()',
    );
    return Number(rows[0]?.commits);
  } finally {
    await client.end();
  }
}

/** Community Edition has no counter, but the bookmark of a write holds the number of its transaction. */
async function neo4jTransactions({ url, user, password }: ServerAddresses['neo4j']): Promise<number> {
  const driver = neo4j.driver(url, neo4j.auth.basic(user, password));
  const session = driver.session();
  try {
    await session.executeWrite((transaction) => transaction.run('CREATE (n:BenchCount) DELETE n'));
    return transactionOf(session.lastBookmarks()[0] ?? '');
  } finally {
    await session.close();
    await driver.close();
  }
}

/** A bookmark is `FB:` and, in base 64, a packed list: 16 bytes that name the database, and an integer. */
function transactionOf(bookmark: string): number {
  const packed = Buffer.from(bookmark.replace(/^FB:/u, ''), 'base64');
  const marker = packed.readUInt8(19);
  switch (marker) {
    case 0xc8:
      return packed.readInt8(20);
    case 0xc9:
      return packed.readInt16BE(20);
    case 0xca:
      return packed.readInt32BE(20);
    case 0xcb:
      return Number(packed.readBigInt64BE(20));
    default:
      return marker;
  }
}
