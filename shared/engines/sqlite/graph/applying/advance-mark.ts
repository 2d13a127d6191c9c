/** Counts applied events in the mark of the graph, and moves the mark to the last of them. No effect without a mark. */
import type { Database } from '../../threads/database.js';

const ADVANCE = `UPDATE graph_mark SET changes = changes + 1, event_id = iif(position < ?1, ?2, event_id), position = max(position, ?1)`;

export function advanceMark(database: Database, event: { readonly position: number; readonly id: string }): void {
  database.run(ADVANCE, [event.position, event.id]);
}
