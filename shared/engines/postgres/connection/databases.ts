/** Databases of tenants in the server of the deployment. The user of the process may have to get the right for them. */
import { escapeIdentifier } from 'pg';
import { RuleError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Queryable } from './postgres.js';
import { postgresCode } from './postgres-errors.js';
import { createPostgres } from './postgres-pool.js';
import type { PostgresConfig } from './postgres-variables.js';

type Named = { readonly config: PostgresConfig; readonly name: string; readonly logger: Logger };

const EXISTS = '42P04';
const FORBIDDEN = '42501';

/** Does nothing when it exists. Throws RuleError where the user may not create databases. */
export async function createDatabase({ name, ...opening }: Named): Promise<void> {
  try {
    // The other template may have connections, which a copy refuses.
    await withServer(opening, (server) => server.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE template0`));
  } catch (error) {
    const code = postgresCode(error) ?? postgresCode((error as Error).cause);
    if (code === FORBIDDEN)
      throw new RuleError(
        'The user of POSTGRES_URL may not create databases, and each tenant has one: run ALTER ROLE <user> CREATEDB',
      );
    if (code !== EXISTS) throw error;
  }
}

/** Ends its connections. Does nothing when it is absent. */
export async function dropDatabase({ name, ...opening }: Named): Promise<void> {
  await withServer(opening, (server) => server.query(`DROP DATABASE IF EXISTS ${escapeIdentifier(name)} WITH (FORCE)`));
}

async function withServer(
  { config, logger }: Omit<Named, 'name'>,
  work: (server: Queryable) => Promise<unknown>,
): Promise<void> {
  const server = createPostgres({ config: { ...config, poolSize: 1 }, logger });
  try {
    await work(server);
  } finally {
    await server.close();
  }
}
