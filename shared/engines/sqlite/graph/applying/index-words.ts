/** Writes the words of a memory, with what a keyword search filters and ranks by, to `memory_words`. */
import type { Memory } from '../../../../contract/memory.js';
import { analyze } from '../../../../text/analyzer.js';
import type { Database, SqlRow, SqlValue } from '../../threads/database.js';

/** Columns of `memories`, under the same names. */
const FEATURES = ['id', 'type', 'importance', 'timestamp', 'archived', 't_valid', 't_invalid'] as const;

const DELETE_WORDS = 'DELETE FROM memory_words WHERE n = ?';
const INSERT_WORDS = `INSERT INTO memory_words (n, content, tags, words_change, ${FEATURES.join(', ')})
  VALUES (?, ?, ?, ?${', ?'.repeat(FEATURES.length)})`;

type Features = Readonly<Record<(typeof FEATURES)[number], SqlValue>>;

type Words = { readonly content: string; readonly tags: string; readonly wordsChange: SqlValue };

/**
 * Stores what a keyword search needs of a memory in `memory_words`: its analysed words, and the features by which it
 * filters and ranks. Replaces the stored row and gives it a new change number.
 */
export function indexWords(database: Database, n: number, memory: Memory): void {
  const tags = memory.tags.flatMap((tag) => analyze(tag)).join(' ');
  const words = { content: analyze(memory.content).join(' '), tags, wordsChange: 0 };
  replaceWords(database, { n, words, features: featuresOf(memory) });
}

/** As `indexWords`, for a memory with the same words. `before`: the row in `memories` before the change. */
export function indexFeatures(database: Database, before: SqlRow, memory: Memory): void {
  const features = featuresOf(memory);
  if (FEATURES.every((name) => name === 'id' || features[name] === before[name])) return;
  const n = Number(before['n']);
  const row = database.get('SELECT content, tags, change, words_change FROM memory_words WHERE n = ?', [n]);
  if (!row) return;
  const { words_change: wordsChange = 0, change = 0 } = row;
  const words = { content: String(row['content']), tags: String(row['tags']) };
  replaceWords(database, { n, words: { ...words, wordsChange: wordsChange === 0 ? change : wordsChange }, features });
}

/** Keeps the row with empty words and a new change number, so that word indexes in memory see the removal. */
export function removeWords(database: Database, n: number): void {
  database.run(DELETE_WORDS, [n]);
  database.run("INSERT INTO memory_words (n, content, tags) VALUES (?, '', '')", [n]);
}

/**
 * Not by INSERT OR REPLACE or INSERT ... SELECT: SQLite prepares to undo such a statement alone, and at its end walks
 * over all pages that the transaction has saved. In a group of 500 memories that took half of the time of the
 * statements of the graph (330 of 640 us for each memory).
 */
function replaceWords(
  database: Database,
  { n, words, features }: { readonly n: number; readonly words: Words; readonly features: Features },
): void {
  database.run(DELETE_WORDS, [n]);
  const values = FEATURES.map((name) => features[name]);
  database.run(INSERT_WORDS, [n, words.content, words.tags, words.wordsChange, ...values]);
}

function featuresOf(memory: Memory): Features {
  return {
    id: memory.id,
    type: memory.type,
    importance: memory.importance,
    timestamp: memory.timestamp,
    archived: Number(memory.archived ?? false),
    t_valid: memory.t_valid ?? null,
    t_invalid: memory.t_invalid ?? null,
  };
}
