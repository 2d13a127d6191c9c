/**
 * Loads stored words into the word index of the thread: page by page at the start, then the changes before each search.
 */
import type { Database } from '../../../threads/database.js';
import { procedure } from '../../../threads/host.js';
import { createWordIndex, type WordIndex, type Words } from './word-index.js';

const STATE_KEY = 'words';
/** About 300 KB of text. */
const PAGE_ROWS = 1_000;
const CHANGES = `SELECT change, n, content, tags, words_change, id, type, importance, timestamp, archived, t_valid, t_invalid
  FROM memory_words WHERE change > ? ORDER BY change LIMIT ${PAGE_ROWS}`;

/** Applies one page of changes; returns true when there may be more. */
export const loadWords = procedure(import.meta.url, 'loadWords', (database, _args: null): boolean =>
  applyPage(database, wordIndexOf(database)),
);

/**
 * The word index with every change in this snapshot of the database. Without a new change this costs one index lookup.
 */
export function currentWordIndex(database: Database): WordIndex {
  const index = wordIndexOf(database);
  while (applyPage(database, index));
  return index;
}

function applyPage(database: Database, index: WordIndex): boolean {
  const rows = database.all(CHANGES, [index.change()]);
  for (const row of rows) index.apply(row as Words); // the columns of the table
  return rows.length === PAGE_ROWS;
}

function wordIndexOf(database: Database): WordIndex {
  const known = database.state.get(STATE_KEY);
  if (known !== undefined) return known as WordIndex; // set below only
  const index = createWordIndex();
  database.state.set(STATE_KEY, index);
  return index;
}
