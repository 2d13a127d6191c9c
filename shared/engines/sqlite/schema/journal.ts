import type { Migrations } from '../threads/database.js';

/** An expression: a random UUID of version 4. */
export const UUID = `lower(
       hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-a' || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6))
     )`;

/**
 * The journal is insert-only, except that an erasure sets `data` to null; therefore `data` is a column apart from the
 * envelope. Positions follow the order of commits, because one writer assigns them inside its transaction.
 */
export const journalMigrations: Migrations = {
  component: 'journal',
  steps: [
    `CREATE TABLE journal (
       position INTEGER PRIMARY KEY AUTOINCREMENT,
       event_id TEXT NOT NULL UNIQUE,
       type TEXT NOT NULL,
       schema_version INTEGER NOT NULL,
       subject TEXT NOT NULL,
       partition_key TEXT NOT NULL,
       version INTEGER NOT NULL,
       revision INTEGER NOT NULL,
       time TEXT NOT NULL,
       actor TEXT NOT NULL,
       correlation_id TEXT NOT NULL,
       causation_id TEXT,
       traceparent TEXT,
       tenant TEXT,
       data TEXT
     );
     CREATE UNIQUE INDEX journal_subject ON journal (subject, version);

     CREATE TABLE dead_letters (
       id INTEGER PRIMARY KEY AUTOINCREMENT,
       projector TEXT NOT NULL,
       event_id TEXT NOT NULL,
       subject TEXT NOT NULL,
       type TEXT NOT NULL,
       version INTEGER NOT NULL,
       position INTEGER NOT NULL,
       reason TEXT NOT NULL,
       attempts INTEGER NOT NULL,
       at TEXT NOT NULL,
       UNIQUE (projector, event_id)
     );
     CREATE INDEX dead_letters_subject ON dead_letters (projector, subject, version);

     CREATE TABLE projector_states (
       name TEXT NOT NULL,
       instance TEXT NOT NULL,
       state TEXT NOT NULL,
       PRIMARY KEY (name, instance)
     ) WITHOUT ROWID;`,
    `ALTER TABLE dead_letters ADD COLUMN awaits_redrive INTEGER NOT NULL DEFAULT 0;
     CREATE INDEX dead_letters_to_redrive ON dead_letters (projector, id) WHERE awaits_redrive = 1;
     -- Projectors that an operator paused.
     CREATE TABLE paused_projectors (name TEXT PRIMARY KEY) WITHOUT ROWID;`,
    `-- One row identifies this journal; a copy of the journal keeps it. The id is a UUID of version 4.
     CREATE TABLE journal_identity (
       only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
       id TEXT NOT NULL,
       has_marked_graph INTEGER NOT NULL DEFAULT 0
     );
     INSERT INTO journal_identity (only_row, id) VALUES (1, ${UUID});`,
    `-- The graph lacks events after this position.
     ALTER TABLE journal_identity ADD COLUMN graph_behind_from INTEGER;`,
    `-- An event that was committed and that the journal lacks.
     ALTER TABLE journal_identity ADD COLUMN lost_position INTEGER;
     ALTER TABLE journal_identity ADD COLUMN lost_event_id TEXT;`,
  ],
};
