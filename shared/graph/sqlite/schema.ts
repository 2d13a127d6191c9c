/**
 * The graph's tables. Inside, a memory is its row number `n`; its UUID stands at the edge. What filters read is in narrow rows of
 * its own, the words of a memory beside them, so that judging a thousand candidates touches few pages.
 */
import type { Migrations } from '../../sqlite/database.js';

/** Every ASCII sign counts as part of a term, so that FTS5 takes terms as the analyzer made them. A quote is doubled in SQL. */
const TERM_SIGNS = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".replaceAll("'", "''");

const MEMORIES = `
CREATE TABLE memories (
  n INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  present INTEGER NOT NULL,            -- 0: deleted; id and version stay for ever, the rest is null
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
CREATE TABLE memory_bodies (
  n INTEGER PRIMARY KEY,
  body TEXT NOT NULL                   -- JSON of the memory without last_accessed
);
CREATE INDEX memories_by_importance ON memories (importance DESC, timestamp DESC, id) WHERE present = 1;
CREATE INDEX memories_by_timestamp ON memories (timestamp) WHERE present = 1;
CREATE INDEX memories_by_updated_at ON memories (updated_at) WHERE present = 1;`;

/**
 * Keys of two kinds: 'whole' tags in lower case, and cumulative 'prefix'es. `tag_members` answers by-tag in its order without
 * sorting; `tag_keys` answers whether one memory has a key.
 */
const TAGS = `
CREATE TABLE tag_members (
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  importance REAL NOT NULL,
  timestamp TEXT NOT NULL,
  id TEXT NOT NULL,
  n INTEGER NOT NULL,
  PRIMARY KEY (kind, key, importance DESC, timestamp DESC, id)
) WITHOUT ROWID;
CREATE TABLE tag_keys (
  n INTEGER NOT NULL,
  kind TEXT NOT NULL,
  key TEXT NOT NULL,
  PRIMARY KEY (n, kind, key)
) WITHOUT ROWID;`;

const ASSOCIATIONS = `
CREATE TABLE associations (
  source INTEGER NOT NULL,
  target INTEGER NOT NULL,
  type TEXT NOT NULL,
  strength REAL NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  properties TEXT NOT NULL,
  version INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  PRIMARY KEY (source, target, type)
) WITHOUT ROWID;
CREATE INDEX associations_by_target ON associations (target, source, type, updated_at);`;

const TERMS = `
CREATE VIRTUAL TABLE memory_terms USING fts5 (
  content, tags, content='', contentless_delete=1, tokenize="ascii tokenchars '${TERM_SIGNS.replaceAll('"', '""')}'"
);`;

/** Counting 100,000 rows takes longer than health may; triggers keep the figures whoever writes. */
const COUNTS = `
CREATE TABLE memory_counts (
  type TEXT PRIMARY KEY,
  memories INTEGER NOT NULL,
  unenriched INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE association_count (one INTEGER PRIMARY KEY CHECK (one = 1), associations INTEGER NOT NULL);
INSERT INTO association_count VALUES (1, 0);
CREATE TRIGGER memory_counted AFTER INSERT ON memories WHEN new.present = 1 BEGIN
  INSERT INTO memory_counts VALUES (new.type, 1, new.enriched = 0)
    ON CONFLICT DO UPDATE SET memories = memories + 1, unenriched = unenriched + excluded.unenriched;
END;
CREATE TRIGGER memory_recounted AFTER UPDATE OF present, type, enriched ON memories
WHEN old.present IS NOT new.present OR old.type IS NOT new.type OR old.enriched IS NOT new.enriched BEGIN
  UPDATE memory_counts SET memories = memories - 1, unenriched = unenriched - (old.enriched = 0)
    WHERE old.present = 1 AND type = old.type;
  INSERT INTO memory_counts SELECT new.type, 1, new.enriched = 0 WHERE new.present = 1
    ON CONFLICT DO UPDATE SET memories = memories + 1, unenriched = unenriched + excluded.unenriched;
END;
CREATE TRIGGER association_counted AFTER INSERT ON associations BEGIN
  UPDATE association_count SET associations = associations + 1;
END;
CREATE TRIGGER association_uncounted AFTER DELETE ON associations BEGIN
  UPDATE association_count SET associations = associations - 1;
END;`;

export const graphMigrations: Migrations = {
  room: 'graph',
  steps: [[MEMORIES, TAGS, ASSOCIATIONS, TERMS, COUNTS].join('\n')],
};
