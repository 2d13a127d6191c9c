import type { Migrations } from '../threads/database.js';

/**
 * The tables of the commit point; journal, graph and embedding cache have migrations of their own. Times are in
 * milliseconds.
 */
export const commitMigrations: Migrations = {
  component: 'commit',
  steps: [
    `CREATE TABLE subjects (
       subject TEXT PRIMARY KEY,
       version INTEGER NOT NULL,
       revision INTEGER NOT NULL,
       present INTEGER NOT NULL
     ) WITHOUT ROWID;

     -- Both ends of every association, so that a deletion finds the associations that it ends.
     CREATE TABLE association_ends (
       memory_id TEXT NOT NULL,
       subject TEXT NOT NULL,
       PRIMARY KEY (memory_id, subject)
     ) WITHOUT ROWID;

     CREATE TABLE command_keys (
       key TEXT PRIMARY KEY,
       request_hash TEXT NOT NULL,
       first_position INTEGER NOT NULL,
       last_position INTEGER NOT NULL,
       at INTEGER NOT NULL
     ) WITHOUT ROWID;
     CREATE INDEX command_keys_at ON command_keys (at);

     CREATE TABLE unanswered (
       command_id TEXT PRIMARY KEY,
       fingerprint TEXT NOT NULL,
       owner TEXT NOT NULL,
       first_position INTEGER NOT NULL,
       last_position INTEGER NOT NULL,
       at INTEGER NOT NULL
     ) WITHOUT ROWID;
     CREATE INDEX unanswered_fingerprint ON unanswered (fingerprint);
     CREATE INDEX unanswered_at ON unanswered (at);`,
    `-- A deleted memory whose associations still have data from positions up to until. after: the last association that was erased.
     CREATE TABLE erasures (
       memory_id TEXT NOT NULL,
       until INTEGER NOT NULL,
       after TEXT NOT NULL,
       PRIMARY KEY (memory_id, until)
     ) WITHOUT ROWID;`,
    // For their count, which a metric reads.
    'CREATE INDEX subjects_deleted ON subjects (present) WHERE present = 0;',
  ],
};
