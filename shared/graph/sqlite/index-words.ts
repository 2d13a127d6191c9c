/** The analysed words of a memory: in the full-text index, which finds by them, and once more as they stand, as that index gives none back. */
import type { Memory } from '../../contract/memory.js';
import type { Database } from '../../sqlite/database.js';
import { analyze } from '../../text/analyzer.js';

type Worded = Pick<Memory, 'content' | 'tags'>;

/** `keys`: what is only looked for, as terms. A row that is there already must be forgotten first. */
export function indexWords(database: Database, { n, memory, keys }: {
  readonly n: number;
  readonly memory: Worded;
  readonly keys: readonly string[];
}): void {
  const { content, tags } = wordsOf(memory);
  database.run('INSERT INTO memory_terms (rowid, content, tags, keys) VALUES (?, ?, ?, ?)', [n, content, tags, keys.join(' ')]);
  keepWords(database, n, { content, tags });
}

export function forgetWords(database: Database, n: number): void {
  database.run('DELETE FROM memory_terms WHERE rowid = ?', [n]);
  database.run('DELETE FROM memory_words WHERE n = ?', [n]);
}

export function keepWords(database: Database, n: number, { content, tags }: { readonly content: string; readonly tags: string }): void {
  database.run('INSERT INTO memory_words (n, content, tags) VALUES (?, ?, ?)', [n, content, tags]);
}

export function wordsOf({ content, tags }: Worded): { readonly content: string; readonly tags: string } {
  return { content: analyze(content).join(' '), tags: tags.flatMap((tag) => analyze(tag)).join(' ') };
}
