/** Brings the thread's words up to what is stored: page after page at the start, and then what has changed before each search. */
import type { Database } from '../../../sqlite/database.js';
import { procedure } from '../../../sqlite/host.js';
import { createWordIndex, type WordIndex, type Words } from './word-index.js';

const STATE_KEY = 'words';
/** Some 300 KB of text. */
const PAGE_ROWS = 1_000;
const CHANGES = `SELECT change, n, content, tags FROM memory_words WHERE change > ? ORDER BY change LIMIT ${PAGE_ROWS}`;

/** Shows one page of what changed; true when there may be more. */
export const loadWords = procedure(import.meta.url, 'loadWords', (database, _args: null): boolean =>
  showPage(database, indexOf(database)),
);

/** With every change that this snapshot of the database holds. Without a new one it is one look into an index. */
export function wordsUpToDate(database: Database): WordIndex {
  const index = indexOf(database);
  while (showPage(database, index));
  return index;
}

function showPage(database: Database, index: WordIndex): boolean {
  const rows = database.all(CHANGES, [index.change()]);
  for (const row of rows) index.show(row as Words); // the columns of the table
  return rows.length === PAGE_ROWS;
}

function indexOf(database: Database): WordIndex {
  const known = database.state.get(STATE_KEY);
  if (known !== undefined) return known as WordIndex; // set below only
  const index = createWordIndex();
  database.state.set(STATE_KEY, index);
  return index;
}
