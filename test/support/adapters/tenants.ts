/** The lists of tenants that the contract suite runs over. */
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { tenantsMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { Tenants } from '../../../shared/ports/tenants.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

export type OpenTenants = { readonly tenants: Tenants; readonly close: () => Promise<void> };

export const TENANT_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenTenants> }[] = [
  { name: 'sqlite', open: openSqliteTenants },
  ...(isServerWanted('postgres') ? [{ name: 'postgres', open: openPostgresTenants }] : []),
];

async function openSqliteTenants(): Promise<OpenTenants> {
  const { host, remove } = await openTemporaryHost([tenantsMigrations]);
  return { tenants: sqliteRecords(host).tenants, close: remove };
}

async function openPostgresTenants(): Promise<OpenTenants> {
  const { postgres, remove } = await openTemporaryPostgres();
  return { tenants: postgresRecords(postgres).tenants, close: remove };
}
