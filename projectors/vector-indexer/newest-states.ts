/** Reduces a batch of memory events to the newest event of each memory, because every event carries the whole state. */
import { isStateEvent, type MemoryState, type RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';

export type NewestState = { readonly version: number; readonly state: MemoryState };
export type Deletion = { readonly id: MemoryId; readonly version: number };

export function newestStates(events: readonly RecordedEvent[]): {
  readonly states: readonly NewestState[];
  readonly deletions: readonly Deletion[];
} {
  const newest = new Map<string, RecordedEvent>();
  for (const event of events) {
    const known = newest.get(event.subject);
    if (known === undefined || event.version > known.version) newest.set(event.subject, event);
  }
  const states: NewestState[] = [];
  const deletions: Deletion[] = [];
  for (const event of newest.values()) {
    if (event.type === 'memory.deleted')
      deletions.push({ id: event.subject as MemoryId, version: event.version }); // the subject of a memory event is its id
    // no data: the content was erased and the deletion follows
    else if (isStateEvent(event) && event.data !== null) states.push({ version: event.version, state: event.data });
  }
  return { states, deletions };
}
