/** The tables of webhooks that the contract suite runs over. */
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { webhooksMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { Webhooks } from '../../../shared/ports/webhooks.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

export type OpenWebhooks = { readonly webhooks: Webhooks; readonly close: () => Promise<void> };

export const WEBHOOK_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenWebhooks> }[] = [
  { name: 'sqlite', open: openSqliteWebhooks },
  ...(isServerWanted('postgres') ? [{ name: 'postgres', open: openPostgresWebhooks }] : []),
];

export async function openSqliteWebhooks(): Promise<OpenWebhooks> {
  const { host, remove } = await openTemporaryHost([webhooksMigrations]);
  return { webhooks: sqliteRecords(host).webhooks, close: remove };
}

async function openPostgresWebhooks(): Promise<OpenWebhooks> {
  const { postgres, remove } = await openTemporaryPostgres();
  return { webhooks: postgresRecords(postgres).webhooks, close: remove };
}
