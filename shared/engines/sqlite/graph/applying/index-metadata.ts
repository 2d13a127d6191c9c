/**
 * Indexes the searched metadata of a memory: its values, and one row for each word in the order of the search. Most
 * memories have none.
 */
import type { Memory } from '../../../../contract/memory.js';
import { metadataValues, searchWords } from '../../../../text/metadata-values.js';
import type { Database, SqlRow } from '../../threads/database.js';

type Ranked = Pick<Memory, 'id' | 'importance' | 'timestamp'>;

/** `before` is the memory's row before this change, null when the memory was absent. */
export function indexMetadata(
  database: Database,
  {
    n,
    memory,
    before,
  }: {
    readonly n: number;
    readonly memory: Ranked & Pick<Memory, 'metadata'>;
    readonly before: SqlRow | null;
  },
): void {
  const values = metadataValues(memory.metadata);
  const found = JSON.stringify(values);
  const old = before ? database.get('SELECT found FROM metadata_values WHERE n = ?', [n]) : undefined;
  if (!old && values.length === 0) return;
  if (
    old?.['found'] === found &&
    before?.['importance'] === memory.importance &&
    before['timestamp'] === memory.timestamp
  )
    return;
  if (before) removeMetadata(database, { n, id: memory.id, row: before });
  if (values.length === 0) return;
  const words = searchWords(values);
  database.run('INSERT INTO metadata_values (n, words, found) VALUES (?, ?, ?)', [n, JSON.stringify(words), found]);
  for (const word of words)
    database.run('INSERT INTO metadata_words VALUES (?, ?, ?, ?, ?)', [
      word,
      memory.importance,
      memory.timestamp,
      memory.id,
      n,
    ]);
}

/** `row` has the importance and timestamp that the words were indexed with. */
export function removeMetadata(
  database: Database,
  { n, id, row }: { readonly n: number; readonly id: string; readonly row: SqlRow },
): void {
  const kept = database.get('SELECT words FROM metadata_values WHERE n = ?', [n]);
  if (!kept) return;
  const rank = [row['importance'] ?? null, row['timestamp'] ?? null, id];
  for (const word of JSON.parse(String(kept['words'])) as string[]) database.run(REMOVE_WORD, [word, ...rank]);
  database.run('DELETE FROM metadata_values WHERE n = ?', [n]);
}

const REMOVE_WORD = 'DELETE FROM metadata_words WHERE word = ? AND importance = ? AND timestamp = ? AND id = ?';
