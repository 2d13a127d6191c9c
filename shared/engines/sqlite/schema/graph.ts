/**
 * The tables of the graph in SQLite. Inside the database a memory is its row number `n`; only replies and requests use
 * ids.
 */
import { backfillMetadata, backfillWords } from '../graph/schema/backfill.js';
import type { Migrations } from '../threads/database.js';

/**
 * Punctuation that the tokenizer `ascii` keeps inside a token. `ascii` keeps all letters beyond ASCII (unicode61 would
 * split Hindi and Thai words). With every printable character inside tokens, only a blank ends a token: one analysed
 * term is one token.
 */
const TERM_SIGNS = `!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~`;

export const graphMigrations: Migrations = {
  component: 'graph',
  steps: [
    `
    -- A deleted memory keeps id, version and revision. A row of version 0 is a placeholder for the end of an association whose memory is still to come.
    CREATE TABLE memories (
      n INTEGER PRIMARY KEY,
      id TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      present INTEGER NOT NULL,
      type TEXT,
      importance REAL,
      timestamp TEXT,
      updated_at TEXT,
      last_accessed TEXT,
      t_valid TEXT,
      t_invalid TEXT,
      archived INTEGER,
      enriched INTEGER,
      vector_ref TEXT,
      analyzer_version INTEGER
    );
    -- JSON of the memory without last_accessed. A table of its own, so that filtering a thousand candidates and a touch read narrow rows only.
    CREATE TABLE memory_bodies (n INTEGER PRIMARY KEY, body TEXT NOT NULL);
    CREATE INDEX memories_by_importance ON memories (importance DESC, timestamp DESC, id) WHERE present = 1;
    CREATE INDEX memories_by_timestamp ON memories (timestamp, importance DESC, id) WHERE present = 1;
    CREATE INDEX memories_by_update ON memories (updated_at, importance DESC, id) WHERE present = 1;
    -- Few memories have lapsed, and every recall looks for them.
    CREATE INDEX memories_archived ON memories (archived) WHERE present = 1 AND archived = 1;
    CREATE INDEX memories_by_end ON memories (t_invalid) WHERE present = 1 AND t_invalid IS NOT NULL;
    CREATE INDEX memories_by_begin ON memories (t_valid) WHERE present = 1;

    -- Whole tags, as wholeTagKey spells them, in the order of by-tag replies.
    CREATE TABLE tag_order (
      key TEXT NOT NULL,
      importance REAL NOT NULL,
      timestamp TEXT NOT NULL,
      id TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (key, importance DESC, timestamp DESC, id)
    ) WITHOUT ROWID;
    -- The tag keys of each memory. kind 0: whole tags; kind 1: cumulative prefixes.
    CREATE TABLE memory_tags (
      n INTEGER NOT NULL,
      kind INTEGER NOT NULL,
      key TEXT NOT NULL,
      PRIMARY KEY (n, kind, key)
    ) WITHOUT ROWID;

    CREATE TABLE associations (
      source INTEGER NOT NULL,
      type TEXT NOT NULL,
      target INTEGER NOT NULL,
      version INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      strength REAL NOT NULL,
      created_at TEXT NOT NULL,
      updated_at TEXT NOT NULL,
      properties TEXT NOT NULL,
      PRIMARY KEY (source, type, target)
    ) WITHOUT ROWID;
    CREATE INDEX associations_by_target ON associations (target, type, source);

    -- keys: the tag keys as terms, so that a tag filter is an intersection inside the search; this column has no weight.
    CREATE VIRTUAL TABLE memory_terms USING fts5 (
      content, tags, keys,
      content = '', contentless_delete = 1,
      tokenize = "ascii tokenchars '${TERM_SIGNS}'"
    );
    INSERT INTO memory_terms (memory_terms, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.0)');

    -- Counting 100,000 rows takes 10 ms and more, and health checks ask for the counts every few seconds.
    CREATE TABLE memory_counts (type TEXT PRIMARY KEY, memories INTEGER NOT NULL, unenriched INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE association_counts (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), associations INTEGER NOT NULL);
    INSERT INTO association_counts VALUES (1, 0);
    `,
    `
    -- The words of searched metadata, each in the order in which the search reads memories.
    CREATE TABLE metadata_words (
      word TEXT NOT NULL,
      importance REAL NOT NULL,
      timestamp TEXT NOT NULL,
      id TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (word, importance DESC, timestamp DESC, id)
    ) WITHOUT ROWID;
    -- One row for each memory with searched metadata. words: needed to remove its rows from metadata_words; found: the values. Both are JSON.
    CREATE TABLE metadata_values (n INTEGER PRIMARY KEY, words TEXT NOT NULL, found TEXT NOT NULL);
    `,
    // Named by module and export, because a function cannot be sent to another thread.
    { url: backfillMetadata.url, name: backfillMetadata.name },
    `
    -- derived: enrichment made this association. derived_version: the version of the memory that its associations were derived from.
    ALTER TABLE memories ADD COLUMN derived_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE associations ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
    `,
    `
    -- The terms of content and tags as in the full-text index, separated by blanks; that index keeps no text of its own.
    CREATE TABLE memory_words (n INTEGER PRIMARY KEY, content TEXT NOT NULL, tags TEXT NOT NULL);
    `,
    { url: backfillWords.url, name: backfillWords.name },
    `
    -- The search thread keeps all words in memory and reads changes by their number. A row that is written again gets a new change number;
    -- the row of a deleted memory has empty words, so that the search thread sees the deletion.
    CREATE TABLE changed_words (
      change INTEGER PRIMARY KEY AUTOINCREMENT,
      n INTEGER NOT NULL UNIQUE,
      content TEXT NOT NULL,
      tags TEXT NOT NULL
    );
    INSERT INTO changed_words (n, content, tags) SELECT n, content, tags FROM memory_words ORDER BY n;
    DROP TABLE memory_words;
    ALTER TABLE changed_words RENAME TO memory_words;
    DROP TABLE memory_terms;
    CREATE INDEX memory_tags_by_prefix ON memory_tags (key, n) WHERE kind = 1;
    `,
    `
    -- Former row numbers of deleted hubs. Their associations are removed in batches.
    CREATE TABLE deleted_hubs (n INTEGER PRIMARY KEY);
    `,
    `
    -- The journal from which this graph was made, and the last applied event. Empty until a command side has started.
    CREATE TABLE graph_mark (
      only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
      journal_id TEXT NOT NULL,
      position INTEGER NOT NULL,
      event_id TEXT
    );
    `,
    `
    -- Memories of one type in the order of snapshots.
    CREATE INDEX memories_by_type ON memories (type, importance DESC, timestamp DESC, id) WHERE present = 1;
    CREATE INDEX associations_preferring ON associations (strength DESC) WHERE type = 'PREFERS_OVER';
    -- Triggers count, because associations are written and removed in several places. They see no row that INSERT OR REPLACE replaces.
    CREATE TABLE association_type_counts (type TEXT PRIMARY KEY, associations INTEGER NOT NULL) WITHOUT ROWID;
    INSERT INTO association_type_counts SELECT type, count(*) FROM associations GROUP BY type;
    CREATE TRIGGER association_added AFTER INSERT ON associations BEGIN
      INSERT OR IGNORE INTO association_type_counts VALUES (new.type, 0);
      UPDATE association_type_counts SET associations = associations + 1 WHERE type = new.type;
    END;
    CREATE TRIGGER association_removed AFTER DELETE ON associations BEGIN
      UPDATE association_type_counts SET associations = associations - 1 WHERE type = old.type;
    END;
    `,
    `
    -- What the tags of memories cannot say about an entity. key: category:slug. body: JSON.
    CREATE TABLE entity_records (
      id TEXT PRIMARY KEY,
      key TEXT NOT NULL UNIQUE,
      version INTEGER NOT NULL,
      revision INTEGER NOT NULL,
      body TEXT NOT NULL
    ) WITHOUT ROWID;
    `,
    `
    -- Counts applied events, so that readers that keep memories notice each change.
    ALTER TABLE graph_mark ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
    -- What a keyword search filters and ranks by. words_change: the change that wrote the words; 0 for the change of the row itself.
    ALTER TABLE memory_words ADD COLUMN words_change INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE memory_words ADD COLUMN id TEXT;
    ALTER TABLE memory_words ADD COLUMN type TEXT;
    ALTER TABLE memory_words ADD COLUMN importance REAL;
    ALTER TABLE memory_words ADD COLUMN timestamp TEXT;
    ALTER TABLE memory_words ADD COLUMN archived INTEGER;
    ALTER TABLE memory_words ADD COLUMN t_valid TEXT;
    ALTER TABLE memory_words ADD COLUMN t_invalid TEXT;
    UPDATE memory_words SET (id, type, importance, timestamp, archived, t_valid, t_invalid) =
      (SELECT id, type, importance, timestamp, archived, t_valid, t_invalid FROM memories WHERE memories.n = memory_words.n);
    `,
    `
    -- The position of the memory's memory.stored. Row numbers have the same order, and none is above the position of its event.
    ALTER TABLE memories ADD COLUMN position INTEGER;
    UPDATE memories SET position = n WHERE present = 1;
    `,
    `
    -- The strongest associations of a memory, without reading all: those of callers before derived ones, by type. Of equal strength, that
    -- with the memory stored last.
    DROP INDEX associations_by_target;
    CREATE INDEX associations_from ON associations (source, derived, type, strength DESC, target DESC);
    CREATE INDEX associations_to ON associations (target, derived, type, strength DESC, source DESC);
    CREATE INDEX associations_superseding ON associations (source, updated_at DESC, target) WHERE type IN ('INVALIDATED_BY', 'EVOLVED_INTO');
    `,
  ],
};
