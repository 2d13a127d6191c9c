/** The tables of jobs that the contract suite runs over. */
import type { Jobs } from '../../../shared/jobs/jobs.js';
import { createPostgresJobs } from '../../../shared/jobs/postgres/postgres-jobs.js';
import { jobsMigrations } from '../../../shared/jobs/sqlite/migrations.js';
import { createSqliteJobs } from '../../../shared/jobs/sqlite/sqlite-jobs.js';
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
  return { jobs: createSqliteJobs({ host }), close: remove };
}

async function openPostgresJobs(): Promise<OpenJobs> {
  const { postgres, remove } = await openTemporaryPostgres();
  return { jobs: createPostgresJobs({ postgres }), close: remove };
}
