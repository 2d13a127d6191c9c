/** Writes an accepted command: journal, subjects, graph, supplied vectors, and the rows by which a repeated request finds it. */
import type { NewEvent, RecordedEvent } from '../../../contract/events.js';
import type { MemoryId } from '../../../contract/memory.js';
import type { PreparedCommand } from '../../sql/prepare-command.js';
import { applyEvent } from '../graph/applying/apply-events.js';
import { appendEvent } from '../journal/event-rows.js';
import { putEntry } from '../records/sqlite-embedding-cache.js';
import type { Database } from '../threads/database.js';
import { rememberRequest } from './earlier-requests.js';
import { eraseMemory } from './erase-memory.js';

/** Returns the position of the first event. */
export function recordCommand(
  database: Database,
  command: PreparedCommand,
  by: { readonly owner: string; readonly nowMs: number },
): number {
  const positions = command.events.map((event, index) =>
    recordEvent(database, event, command.dataTexts[index] ?? 'null'),
  );
  for (const entry of command.vectors) putEntry(database, entry);
  const [first = 0] = positions;
  rememberRequest(database, command, { ...by, first, last: positions.at(-1) ?? first });
  return first;
}

function recordEvent(database: Database, event: NewEvent, dataText: string): number {
  // Before the append, so that the deletion event keeps its own data, which holds no content.
  if (event.type === 'memory.deleted') eraseMemory(database, event.subject as MemoryId);
  const position = appendEvent(database, event, dataText);
  database.run(
    `INSERT INTO subjects (subject, version, revision, present) VALUES (?, ?, ?, ?)
     ON CONFLICT (subject) DO UPDATE SET version = excluded.version, revision = excluded.revision, present = excluded.present`,
    [event.subject, event.version, event.revision, event.type === 'memory.deleted' ? 0 : 1],
  );
  if (event.type === 'association.created' || event.type === 'association.updated') putEnds(database, event);
  // A new event with its position is a recorded event; the compiler cannot derive this from a spread of the union.
  applyEvent(database, { ...event, position } as RecordedEvent);
  return position;
}

function putEnds(
  database: Database,
  { subject, data }: Extract<NewEvent, { type: 'association.created' | 'association.updated' }>,
): void {
  for (const end of [data.association.source, data.association.target]) {
    database.run('INSERT OR IGNORE INTO association_ends (memory_id, subject) VALUES (?, ?)', [end, subject]);
  }
}
