/** The tables of jobs that the contract suite runs over. */
import { postgresRecords } from '../../../shared/engines/postgres/records/postgres-records.js';
import { sqliteRecords } from '../../../shared/engines/sqlite/records/sqlite-records.js';
import { jobsMigrations } from '../../../shared/engines/sqlite/schema/schema.js';
import type { Jobs } from '../../../shared/ports/jobs.js';
import { openTemporaryPostgres } from '../servers/postgres.js';
import { isServerWanted } from '../servers/servers.js';
import { openTemporaryHost } from './sqlite.js';

export type OpenJobs = { readonly jobs: Jobs; readonly close: () => Promise<void> };

export const JOB_ADAPTERS: readonly { readonly name: string; readonly open: () => Promise<OpenJobs> }[] = [
  { name: 'sqlite', open: openSqliteJobs },
  ...(isServerWanted('postgres') ? [{ name: 'postgres', open: openPostgresJobs }] : []),
];

export async function openSqliteJobs(): Promise<OpenJobs> {
  const { host, remove } = await openTemporaryHost([jobsMigrations]);
  return { jobs: sqliteRecords(host).jobs, close: remove };
}

async function openPostgresJobs(): Promise<OpenJobs> {
  const { postgres, remove } = await openTemporaryPostgres();
  return { jobs: postgresRecords(postgres).jobs, close: remove };
}
