/** Stores the analysed words of a memory in `memory_words`, from which the keyword search loads them. */
import type { Memory } from '../../../contract/memory.js';
import type { Database } from '../../../sqlite/database.js';
import { analyze } from '../../../text/analyzer.js';

/** Replaces the stored words and gives the row a new change number. */
export function indexWords(database: Database, n: number, { content, tags }: Pick<Memory, 'content' | 'tags'>): void {
  replace(database, n, { content: analyze(content).join(' '), tags: tags.flatMap((tag) => analyze(tag)).join(' ') });
}

/** Keeps the row with empty words and a new change number, so that word indexes in memory see the removal. */
export function removeWords(database: Database, n: number): void {
  replace(database, n, { content: '', tags: '' });
}

function replace(
  database: Database,
  n: number,
  { content, tags }: { readonly content: string; readonly tags: string },
): void {
  database.run('INSERT OR REPLACE INTO memory_words (n, content, tags) VALUES (?, ?, ?)', [n, content, tags]);
}
