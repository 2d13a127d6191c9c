/** The analysed words of a memory, as the keyword search reads them. */
import type { Memory } from '../../contract/memory.js';
import type { Database } from '../../sqlite/database.js';
import { analyze } from '../../text/analyzer.js';

/** Takes the place of those that were kept before, as a new change. */
export function keepWords(database: Database, n: number, { content, tags }: Pick<Memory, 'content' | 'tags'>): void {
  replace(database, n, { content: analyze(content).join(' '), tags: tags.flatMap((tag) => analyze(tag)).join(' ') });
}

/** The row stays without words, so that whoever holds them hears of it. */
export function forgetWords(database: Database, n: number): void {
  replace(database, n, { content: '', tags: '' });
}

function replace(
  database: Database,
  n: number,
  { content, tags }: { readonly content: string; readonly tags: string },
): void {
  database.run('INSERT OR REPLACE INTO memory_words (n, content, tags) VALUES (?, ?, ?)', [n, content, tags]);
}
