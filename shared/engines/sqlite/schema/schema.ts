/** The whole schema of the data file, in the order of its migration. */
import type { Migrations } from '../threads/database.js';
import { commitMigrations } from './commit.js';
import { consolidationMigrations } from './consolidation.js';
import { embeddingCacheMigrations } from './embedding-cache.js';
import { graphMigrations } from './graph.js';
import { jobsMigrations } from './jobs.js';
import { journalMigrations } from './journal.js';
import { streamMigrations } from './stream.js';
import { spaceMigrations } from './vector-spaces.js';
import { vectorMigrations } from './vectors.js';

export const SQLITE_SCHEMA: readonly Migrations[] = [
  journalMigrations,
  commitMigrations,
  graphMigrations,
  embeddingCacheMigrations,
  streamMigrations,
  vectorMigrations,
  spaceMigrations,
  jobsMigrations,
  consolidationMigrations,
];
