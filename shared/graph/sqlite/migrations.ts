/** The graph's tables. Inside, a memory is its row number; ids are met at the edge only. */
import type { Migrations } from '../../sqlite/database.js';
import { fillMetadata } from './fill-metadata.js';
import { fillWords } from './fill-words.js';

/**
 * `ascii` leaves every letter beyond ASCII alone (unicode61 would take Hindi and Thai words apart), and as every printable sign is
 * part of a token, a token ends at a blank only: one analysed term, one token.
 */
const TERM_SIGNS = `!""#$%&''()*+,-./:;<=>?@[\\]^_\`{|}~`;

export const graphMigrations: Migrations = {
  room: 'graph',
  steps: [
    `
    -- A deleted memory keeps id, version and revision. A row of version 0 holds the place of an end whose memory is still to come.
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
    -- JSON of the memory without last_accessed. Apart, so that judging a thousand candidates and a touch read narrow rows only.
    CREATE TABLE memory_bodies (n INTEGER PRIMARY KEY, body TEXT NOT NULL);
    CREATE INDEX memories_by_importance ON memories (importance DESC, timestamp DESC, id) WHERE present = 1;
    CREATE INDEX memories_by_timestamp ON memories (timestamp, importance DESC, id) WHERE present = 1;
    CREATE INDEX memories_by_update ON memories (updated_at, importance DESC, id) WHERE present = 1;
    -- What has lapsed is little: recall looks for it at every query.
    CREATE INDEX memories_archived ON memories (archived) WHERE present = 1 AND archived = 1;
    CREATE INDEX memories_by_end ON memories (t_invalid) WHERE present = 1 AND t_invalid IS NOT NULL;
    CREATE INDEX memories_by_begin ON memories (t_valid) WHERE present = 1;

    -- Whole tags, as wholeTagKey spells them, in the order in which by-tag answers.
    CREATE TABLE tag_order (
      key TEXT NOT NULL,
      importance REAL NOT NULL,
      timestamp TEXT NOT NULL,
      id TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (key, importance DESC, timestamp DESC, id)
    ) WITHOUT ROWID;
    -- What one memory has. kind 0: whole tags; kind 1: cumulative prefixes.
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

    -- keys: the tag keys as terms (tag-terms.ts), so that a tag filter is an intersection inside the search; it weighs nothing.
    CREATE VIRTUAL TABLE memory_terms USING fts5 (
      content, tags, keys,
      content = '', contentless_delete = 1,
      tokenize = "ascii tokenchars '${TERM_SIGNS}'"
    );
    INSERT INTO memory_terms (memory_terms, rank) VALUES ('rank', 'bm25(2.0, 1.0, 0.0)');

    -- Counting 100,000 rows takes 10 ms and more; health asks every few seconds.
    CREATE TABLE memory_counts (type TEXT PRIMARY KEY, memories INTEGER NOT NULL, unenriched INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE association_counts (only_row INTEGER PRIMARY KEY CHECK (only_row = 1), associations INTEGER NOT NULL);
    INSERT INTO association_counts VALUES (1, 0);
    `,
    `
    -- The words of searched metadata, each in the order in which the search looks at memories.
    CREATE TABLE metadata_words (
      word TEXT NOT NULL,
      importance REAL NOT NULL,
      timestamp TEXT NOT NULL,
      id TEXT NOT NULL,
      n INTEGER NOT NULL,
      PRIMARY KEY (word, importance DESC, timestamp DESC, id)
    ) WITHOUT ROWID;
    -- Of each memory that has any: the words, by which they are taken out again, and the values, both JSON.
    CREATE TABLE metadata_values (n INTEGER PRIMARY KEY, words TEXT NOT NULL, found TEXT NOT NULL);
    `,
    // By name: a function does not go from one thread to another.
    { url: fillMetadata.url, name: fillMetadata.name },
    `
    -- What enrichment derived from a memory, and the version of it that it was derived for.
    ALTER TABLE memories ADD COLUMN derived_version INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE associations ADD COLUMN derived INTEGER NOT NULL DEFAULT 0;
    `,
    `
    -- The terms of content and tags as the full-text index has them, with a blank between each two; it keeps no text of its own.
    CREATE TABLE memory_words (n INTEGER PRIMARY KEY, content TEXT NOT NULL, tags TEXT NOT NULL);
    `,
    { url: fillWords.url, name: fillWords.name },
    `
    -- Words are found in memory. A row that is written again is a new change, and one of a memory that was forgotten has no words, so
    -- that whoever holds them finds what has changed since.
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
  ],
};
