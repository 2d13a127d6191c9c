/** The records in Postgres, which several processes share. */
import { FOLLOWER_LIVE_MS, type SpaceFollower } from '../../../ports/vector-spaces.js';
import { createConsolidationRecords } from '../../sql/records/consolidation-records.js';
import { createDeadLetters } from '../../sql/records/dead-letters.js';
import { createEmbeddingCache, createEmbeddingScan } from '../../sql/records/embedding-cache.js';
import { createJobs } from '../../sql/records/jobs.js';
import { createProjectorStates } from '../../sql/records/projector-states.js';
import type { Sql } from '../../sql/records/sql.js';
import { createVectorSpaces, type SpaceEngine } from '../../sql/records/vector-spaces.js';
import type { Postgres } from '../connection/postgres.js';
import { consolidationMigrations } from '../schema/consolidation.js';
import { embeddingCacheMigrations } from '../schema/embedding-cache.js';
import { jobsMigrations } from '../schema/jobs.js';
import { journalMigrations } from '../schema/journal.js';
import { spaceMigrations } from '../schema/vector-spaces.js';
import { putEntries, releaseMemories } from './postgres-embedding-cache.js';
import { POSTGRES_HEARTBEATS } from './postgres-heartbeats.js';
import { createPostgresSql } from './postgres-sql.js';

export function postgresRecords(postgres: Postgres) {
  const journal = createPostgresSql(postgres, journalMigrations);
  const cache = createPostgresSql(postgres, embeddingCacheMigrations);
  const spaces = createPostgresSql(postgres, spaceMigrations);
  return {
    deadLetters: createDeadLetters(journal),
    projectorStates: createProjectorStates(journal, POSTGRES_HEARTBEATS),
    jobs: createJobs(createPostgresSql(postgres, jobsMigrations)),
    spaces: createVectorSpaces(spaces, spaceEngine(spaces)),
    cache: createEmbeddingCache(cache, {
      put: (entries, options) => putEntries(postgres, entries, options),
      release: (memoryIds) => postgres.transaction((transaction) => releaseMemories(transaction, memoryIds)),
    }),
    embeddings: createEmbeddingScan(cache),
    consolidationRecords: createConsolidationRecords(createPostgresSql(postgres, consolidationMigrations)),
  };
}

/** A number comes from a sequence, because a dropped space must not give its number to a later one. */
function spaceEngine(sql: Sql): SpaceEngine {
  const live = `at >= clock_timestamp() - $1 * interval '1 millisecond'`;
  return {
    firstNumber: '1',
    nextNumber: `nextval('vector_space_numbers')`,
    report: async (instance, number) => {
      await sql.write(
        'report_follower',
        `INSERT INTO vector_space_followers (instance, number, at) VALUES ($1, $2, clock_timestamp())
         ON CONFLICT (instance) DO UPDATE SET number = excluded.number, at = excluded.at`,
        [instance, number],
      );
      await sql.write('forget_followers', `DELETE FROM vector_space_followers WHERE NOT (${live})`, [FOLLOWER_LIVE_MS]);
    },
    followers: () => {
      const text = `SELECT instance, number FROM vector_space_followers WHERE ${live} ORDER BY instance`;
      return sql.read<SpaceFollower>('list_followers', text, [FOLLOWER_LIVE_MS]);
    },
  };
}
