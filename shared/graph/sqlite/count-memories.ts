/** Keeps the counts of memories by type, in the transaction that changes a memory. */
import type { Database } from '../../sqlite/database.js';

const ADD = `INSERT INTO memory_counts (type, memories, unenriched) VALUES (?1, ?2, ?3)
  ON CONFLICT (type) DO UPDATE SET memories = memories + ?2, unenriched = unenriched + ?3`;

export function countMemory(
  database: Database,
  memory: { readonly type: string; readonly enriched: boolean },
  by: 1 | -1,
): void {
  database.run(ADD, [memory.type, by, memory.enriched ? 0 : by]);
}
