/** Stores what a keyword search needs of a memory in `memory_words`: its analysed words, and the features by which it filters and ranks. */
import type { Memory } from '../../../../contract/memory.js';
import { analyze } from '../../../../text/analyzer.js';
import type { Database, SqlRow } from '../../threads/database.js';

/** Columns of `memories`, under the same names. */
const FEATURES = ['id', 'type', 'importance', 'timestamp', 'archived', 't_valid', 't_invalid'] as const;

const COPY = (words: string, from: string): string =>
  `INSERT OR REPLACE INTO memory_words (n, content, tags, words_change, ${FEATURES.join(', ')})
   SELECT m.n, ${words}, ${FEATURES.map((name) => `m.${name}`).join(', ')} FROM ${from} WHERE m.n = ?1`;
const WITH_WORDS = COPY('?2, ?3, 0', 'memories AS m');
const WITH_SAME_WORDS = COPY(
  'w.content, w.tags, iif(w.words_change = 0, w.change, w.words_change)',
  'memories AS m JOIN memory_words AS w ON w.n = m.n',
);

/** Replaces the stored row and gives it a new change number. The row in `memories` is already written. */
export function indexWords(database: Database, n: number, { content, tags }: Pick<Memory, 'content' | 'tags'>): void {
  const words = tags.flatMap((tag) => analyze(tag)).join(' ');
  database.run(WITH_WORDS, [n, analyze(content).join(' '), words]);
}

/** As `indexWords`, for a memory with the same words. `before`: the row in `memories` before the change. */
export function indexFeatures(database: Database, before: SqlRow, memory: Memory): void {
  const now: SqlRow = {
    id: memory.id,
    type: memory.type,
    importance: memory.importance,
    timestamp: memory.timestamp,
    archived: Number(memory.archived ?? false),
    t_valid: memory.t_valid ?? null,
    t_invalid: memory.t_invalid ?? null,
  };
  const { n = null } = before;
  if (FEATURES.some((name) => name !== 'id' && now[name] !== before[name])) database.run(WITH_SAME_WORDS, [n]);
}

/** Keeps the row with empty words and a new change number, so that word indexes in memory see the removal. */
export function removeWords(database: Database, n: number): void {
  database.run("INSERT OR REPLACE INTO memory_words (n, content, tags) VALUES (?, '', '')", [n]);
}
