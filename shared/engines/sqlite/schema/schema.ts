/** The whole schema of the data file, in the order of its migration. */
import type { Migrations } from '../threads/database.js';
import { commitMigrations } from './commit.js';
import { graphMigrations } from './graph.js';
import { journalMigrations } from './journal.js';

/**
 * A removed memory keeps its id and version as a tombstone against late older upserts. `n` is never reused, so paging
 * by `n` misses no row. Vectors are little-endian float32 at unit length.
 */
export const vectorMigrations: Migrations = {
  component: 'vectors',
  steps: [
    `CREATE TABLE points (
       n INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       version INTEGER NOT NULL,
       model TEXT,
       vector BLOB,
       payload TEXT
     );`,
    // The journal from which the index was made, and its applied position; no row before the first write.
    `CREATE TABLE index_mark (
       only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
       journal_id TEXT NOT NULL,
       position INTEGER NOT NULL,
       event_id TEXT NOT NULL
     );`,
  ],
};

export const jobsMigrations: Migrations = {
  component: 'jobs',
  steps: [
    `CREATE TABLE jobs (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       kind TEXT NOT NULL,
       request TEXT NOT NULL,
       progress TEXT NOT NULL DEFAULT '{}',
       checkpoint TEXT,
       error TEXT,
       requested_at TEXT NOT NULL,
       started_at TEXT,
       finished_at TEXT
     );
     -- One unfinished job at a time.
     CREATE UNIQUE INDEX jobs_unfinished ON jobs (finished_at IS NULL) WHERE finished_at IS NULL;`,
  ],
};

export const spaceMigrations: Migrations = {
  component: 'vector_spaces',
  steps: [
    `CREATE TABLE vector_spaces (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       state TEXT NOT NULL,
       model TEXT NOT NULL,
       dimension INTEGER NOT NULL,
       target TEXT,
       position INTEGER NOT NULL
     );
     -- One space of each state.
     CREATE UNIQUE INDEX vector_spaces_state ON vector_spaces (state);`,
  ],
};

export const consolidationMigrations: Migrations = {
  component: 'consolidation',
  steps: [
    `CREATE TABLE consolidation_tasks (task TEXT PRIMARY KEY, last_run TEXT NOT NULL) WITHOUT ROWID;
     CREATE TABLE consolidation_runs (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       mode TEXT NOT NULL,
       tasks TEXT NOT NULL,
       success INTEGER NOT NULL,
       started_at TEXT NOT NULL,
       completed_at TEXT NOT NULL,
       result TEXT NOT NULL
     );`,
  ],
};

/** Vectors by reference, and the memories that use them: a vector without users is dropped. */
export const embeddingCacheMigrations: Migrations = {
  component: 'embedding-cache',
  steps: [
    `CREATE TABLE embedding_cache (ref TEXT PRIMARY KEY, vector BLOB NOT NULL);
     CREATE TABLE embedding_uses (memory_id TEXT NOT NULL, ref TEXT NOT NULL, PRIMARY KEY (memory_id, ref)) WITHOUT ROWID;
     CREATE INDEX embedding_uses_ref ON embedding_uses (ref);`,
    // Since when nothing needs the use, in ms since 1970; null: it is needed, or was not checked yet.
    'ALTER TABLE embedding_uses ADD COLUMN unused_since INTEGER;',
  ],
};

export const streamMigrations: Migrations = {
  component: 'stream',
  steps: [
    'CREATE TABLE stream_checkpoints (consumer_group TEXT PRIMARY KEY, position INTEGER NOT NULL) WITHOUT ROWID;',
  ],
};

/** The log has a row for each event that was sent; its times sort as texts. */
export const webhooksMigrations: Migrations = {
  component: 'webhooks',
  steps: [
    `CREATE TABLE webhooks (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       url TEXT NOT NULL,
       description TEXT NOT NULL,
       -- JSON.
       types TEXT NOT NULL,
       tags TEXT NOT NULL,
       secret TEXT NOT NULL,
       previous_secret TEXT,
       previous_secret_until TEXT,
       disabled_reason TEXT,
       position INTEGER NOT NULL,
       revision INTEGER NOT NULL DEFAULT 1,
       failing_since TEXT,
       last_error TEXT,
       created_at TEXT NOT NULL,
       updated_at TEXT NOT NULL
     );
     CREATE TABLE webhook_deliveries (
       webhook_id TEXT NOT NULL,
       position INTEGER NOT NULL,
       event_id TEXT NOT NULL,
       type TEXT NOT NULL,
       subject TEXT NOT NULL,
       state TEXT NOT NULL,
       attempts INTEGER NOT NULL,
       http_status INTEGER,
       error TEXT,
       duration_ms REAL NOT NULL,
       first_attempt_at TEXT NOT NULL,
       last_attempt_at TEXT NOT NULL,
       next_attempt_at TEXT,
       PRIMARY KEY (webhook_id, position)
     ) WITHOUT ROWID;
     CREATE INDEX webhook_deliveries_failing ON webhook_deliveries (webhook_id, position) WHERE state = 'failing';
     CREATE INDEX webhook_deliveries_age ON webhook_deliveries (last_attempt_at);`,
  ],
};

/** The times sort as texts. */
export const keysMigrations: Migrations = {
  component: 'keys',
  steps: [
    `CREATE TABLE api_keys (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       name TEXT NOT NULL UNIQUE,
       -- JSON.
       scopes TEXT NOT NULL,
       -- SHA-256 of the key, in hex digits.
       hash TEXT NOT NULL UNIQUE,
       previous_hash TEXT,
       previous_until TEXT,
       expires_at TEXT,
       last_used_at TEXT,
       uses INTEGER NOT NULL DEFAULT 0,
       created_at TEXT NOT NULL,
       updated_at TEXT NOT NULL
     );
     CREATE INDEX api_keys_previous_hash ON api_keys (previous_hash) WHERE previous_hash IS NOT NULL;`,
    'ALTER TABLE api_keys ADD COLUMN tag TEXT',
    `ALTER TABLE api_keys ADD COLUMN requests_per_minute INTEGER;
     ALTER TABLE api_keys ADD COLUMN window_started_at TEXT;
     ALTER TABLE api_keys ADD COLUMN window_requests INTEGER NOT NULL DEFAULT 0;`,
  ],
};

/** `revision` rises with each change of the list. `is_settled`: no work of the tenant waits for a process. */
export const tenantsMigrations: Migrations = {
  component: 'tenants',
  steps: [
    `CREATE TABLE tenants (
       number INTEGER PRIMARY KEY AUTOINCREMENT,
       id TEXT NOT NULL UNIQUE,
       name TEXT NOT NULL UNIQUE,
       state TEXT NOT NULL,
       reason TEXT,
       revision INTEGER NOT NULL,
       requests_per_minute INTEGER,
       writes_per_minute INTEGER,
       memories_limit INTEGER,
       bytes_limit INTEGER,
       memories INTEGER NOT NULL DEFAULT 0,
       bytes INTEGER NOT NULL DEFAULT 0,
       counted_at TEXT,
       used_at TEXT,
       is_settled INTEGER NOT NULL DEFAULT 1,
       created_at TEXT NOT NULL,
       updated_at TEXT NOT NULL
     );`,
  ],
};

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
  webhooksMigrations,
  keysMigrations,
  tenantsMigrations,
];
