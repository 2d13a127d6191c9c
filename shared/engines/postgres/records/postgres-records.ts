/** The records in Postgres, which several processes share. */
import { PROJECTOR_STATE_RETENTION_MS } from '../../../ports/journal.js';
import { FOLLOWER_LIVE_MS, type SpaceFollower } from '../../../ports/vector-spaces.js';
import { createConsolidationRecords } from '../../sql/records/consolidation-records.js';
import { createDeadLetters } from '../../sql/records/dead-letters.js';
import { createEmbeddingCache, createEmbeddingScan, createEmbeddingUses } from '../../sql/records/embedding-cache.js';
import { createJobs } from '../../sql/records/jobs.js';
import { createKeys } from '../../sql/records/keys.js';
import { createProjectorStates, type Heartbeats } from '../../sql/records/projector-states.js';
import type { Call, Dialect, Param, Row, Sql } from '../../sql/records/sql.js';
import { createTenants } from '../../sql/records/tenants.js';
import { createVectorSpaces, type SpaceEngine } from '../../sql/records/vector-spaces.js';
import { createWebhooks } from '../../sql/records/webhooks.js';
import { type Migrations, type Postgres, type Queryable, statement } from '../connection/postgres.js';
import { consolidationMigrations } from '../schema/consolidation.js';
import { embeddingCacheMigrations } from '../schema/embedding-cache.js';
import { jobsMigrations } from '../schema/jobs.js';
import { journalMigrations } from '../schema/journal.js';
import { keysMigrations } from '../schema/keys.js';
import { tenantsMigrations } from '../schema/tenants.js';
import { spaceMigrations } from '../schema/vector-spaces.js';
import { webhooksMigrations } from '../schema/webhooks.js';
import { markUses, putEntries, releaseMemories, removeUses } from './postgres-embedding-cache.js';

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
    embeddingUses: createEmbeddingUses(cache, {
      mark: (uses, since) => markUses(postgres, uses, since),
      remove: (uses) => postgres.transaction((transaction) => removeUses(transaction, uses)),
    }),
    consolidationRecords: createConsolidationRecords(createPostgresSql(postgres, consolidationMigrations)),
    webhooks: createWebhooks(createPostgresSql(postgres, webhooksMigrations)),
    keys: createKeys(createPostgresSql(postgres, keysMigrations)),
    tenants: createTenants(createPostgresSql(postgres, tenantsMigrations)),
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

/**
 * Parameters: name, instance, state, retention in ms. The time is also in the JSON, where earlier releases read it. One
 * statement, so that a heartbeat costs one round trip. SKIP LOCKED, because another instance may be saving its own row.
 */
const SAVE = `WITH silent AS (
    DELETE FROM projector_states
    WHERE name = $1 AND instance <> $2 AND heartbeat_at < clock_timestamp() - $4::integer * interval '1 millisecond'
  ), ahead AS (
    UPDATE projector_states SET heartbeat_at = clock_timestamp() WHERE ctid = ANY (ARRAY(
      SELECT ctid FROM projector_states
      WHERE name = $1 AND instance <> $2 AND heartbeat_at > clock_timestamp() FOR UPDATE SKIP LOCKED
    ))
  ), heartbeat AS (
    SELECT clock_timestamp() AS at
  )
  INSERT INTO projector_states (name, instance, state, heartbeat_at)
  SELECT $1, $2, left($3, -1) || ',"heartbeatAt":"' || to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"+00:00"') || '"}', at
  FROM heartbeat
  ON CONFLICT (name, instance) DO UPDATE SET state = excluded.state, heartbeat_at = excluded.heartbeat_at`;

const POSTGRES_HEARTBEATS: Heartbeats = {
  save: (state) => [
    ['save_heartbeat', SAVE, [state.name, state.instance, JSON.stringify(state), PROJECTOR_STATE_RETENTION_MS]],
  ],
  ageMs: '(extract(epoch FROM clock_timestamp() - heartbeat_at) * 1000)::float8',
};

const DIALECT: Dialect = {
  now: 'clock_timestamp()',
  ago: (param) => `(SELECT clock_timestamp() - ${param} * interval '1 millisecond')`, // computed once, so an index helps
  isIn: (column, param) => `${column} = ANY (${param})`,
  items: (param) => `unnest(${param}::text[]) AS item (value)`,
  objects: (param, columns) => {
    const types = Object.entries(columns).map(([column, type]) => `${column} ${type}`);
    return `json_to_recordset(CAST(${param} AS json)) AS item (${types.join(', ')})`;
  },
  isTrue: (column) => column,
  skipLocked: 'FOR UPDATE SKIP LOCKED',
};

/** Runs the statements of the records in Postgres, over the tables of these migrations. */
function createPostgresSql(postgres: Postgres, migrations: Migrations): Sql {
  async function run<R extends Row>(queryable: Queryable, [name, text, params = []]: Call): Promise<readonly R[]> {
    return (await queryable.query<R>(statement(migrations, name, text), params.map(withoutNul))).rows;
  }
  async function runAll<R extends Row>(queryable: Queryable, calls: readonly Call[]): Promise<(readonly R[])[]> {
    const results: (readonly R[])[] = [];
    for (const call of calls) results.push(await run<R>(queryable, call));
    return results;
  }
  return {
    dialect: DIALECT,
    read: (...call) => run(postgres, call),
    write: (...call) => run(postgres, call),
    transaction: (calls, { lock } = {}) =>
      // One statement is a transaction by itself.
      calls.length === 1 && lock === undefined
        ? runAll(postgres, calls)
        : postgres.transaction(async (transaction) => {
            if (lock !== undefined) await transaction.query(`LOCK TABLE ${lock} IN EXCLUSIVE MODE`);
            return runAll(transaction, calls);
          }),
  };
}

/** Postgres cannot store a NUL character in a text, and the reason of a failure may quote any text. */
function withoutNul(param: Param): Param {
  return typeof param === 'string' ? param.replaceAll('\u0000', '\uFFFD') : param;
}
