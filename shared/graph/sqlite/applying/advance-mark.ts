/** Moves the mark of the graph to the last applied event. No effect without a mark. */
import type { Database } from '../../../sqlite/database.js';

export function advanceMark(database: Database, event: { readonly position: number; readonly id: string }): void {
  database.run('UPDATE graph_mark SET position = ?1, event_id = ?2 WHERE position < ?1', [event.position, event.id]);
}
