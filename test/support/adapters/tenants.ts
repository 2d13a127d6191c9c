/** The lists of tenants that the contract suite runs over. */
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { runStatements, sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { tenantsMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { Tenants } from '../../../shared/ports/tenants.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

export type OpenTenants = {
  readonly tenants: Tenants;
  /** Adds so many tenants in one statement. */
  readonly fill: (count: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

const INSERT = 'INSERT INTO tenants (id, name, state, revision, created_at, updated_at)';

export const TENANT_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenTenants> }[] = [
  { name: 'sqlite', open: openSqliteTenants },
  ...(isServerWanted('postgres') ? [{ name: 'postgres', open: openPostgresTenants }] : []),
];

async function openSqliteTenants(): Promise<OpenTenants> {
  const { host, remove } = await openTemporaryHost([tenantsMigrations]);
  const text = `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ?1)
    ${INSERT} SELECT 'id-' || n, 't' || n, 'active', n, '', '' FROM numbers`;
  return {
    tenants: sqliteRecords(host).tenants,
    fill: async (count) => void (await host.write(runStatements, [{ text, values: [count] }])),
    close: remove,
  };
}

async function openPostgresTenants(): Promise<OpenTenants> {
  const { postgres, remove } = await openTemporaryPostgres();
  const text = `${INSERT} SELECT gen_random_uuid(), 't' || n, 'active', n, now(), now() FROM generate_series(1, $1) AS n`;
  return {
    tenants: postgresRecords(postgres).tenants,
    fill: async (count) => void (await postgres.query(text, [count])),
    close: remove,
  };
}
