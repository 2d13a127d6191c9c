/** The tables of keys that the contract suite runs over. */
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { keysMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { Keys } from '../../../shared/ports/keys.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

export type OpenKeys = { readonly keys: Keys; readonly close: () => Promise<void> };

export const KEY_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenKeys> }[] = [
  { name: 'sqlite', open: openSqliteKeys },
  ...(isServerWanted('postgres') ? [{ name: 'postgres', open: openPostgresKeys }] : []),
];

export async function openSqliteKeys(): Promise<OpenKeys> {
  const { host, remove } = await openTemporaryHost([keysMigrations]);
  return { keys: sqliteRecords(host).keys, close: remove };
}

async function openPostgresKeys(): Promise<OpenKeys> {
  const { postgres, remove } = await openTemporaryPostgres();
  return { keys: postgresRecords(postgres).keys, close: remove };
}
