/** The whole schema in Postgres, in the order of its migration. */
import type { Migrations } from '../connection/postgres.js';
import { consolidationMigrations } from './consolidation.js';
import { embeddingCacheMigrations } from './embedding-cache.js';
import { jobsMigrations } from './jobs.js';
import { journalMigrations } from './journal.js';
import { keysMigrations } from './keys.js';
import { streamMigrations } from './stream.js';
import { tenantsMigrations } from './tenants.js';
import { spaceMigrations } from './vector-spaces.js';
import { webhooksMigrations } from './webhooks.js';

export const POSTGRES_SCHEMA: readonly Migrations[] = [
  journalMigrations,
  embeddingCacheMigrations,
  streamMigrations,
  jobsMigrations,
  consolidationMigrations,
  spaceMigrations,
  webhooksMigrations,
  keysMigrations,
  tenantsMigrations,
];
