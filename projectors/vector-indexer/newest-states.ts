/** What a batch of memory events comes to: for each memory its newest event alone, since each carries the whole state after it. */
import type { MemoryState, RecordedEvent } from '../../shared/contract/events.js';
import type { MemoryId } from '../../shared/contract/memory.js';

export type NewestState = { readonly version: number; readonly state: MemoryState };
export type Deletion = { readonly id: MemoryId; readonly version: number };

export function newestStates(events: readonly RecordedEvent[]): { readonly states: readonly NewestState[]; readonly deletions: readonly Deletion[] } {
  const newest = new Map<string, RecordedEvent>();
  for (const event of events) {
    const known = newest.get(event.subject);
    if (known === undefined || event.version > known.version) newest.set(event.subject, event);
  }
  const states: NewestState[] = [];
  const deletions: Deletion[] = [];
  for (const { type, subject, version, data } of newest.values()) {
    if (type === 'memory.deleted') deletions.push({ id: subject as MemoryId, version }); // the subject of a memory event is its id
    // without data the memory was erased, and its deletion follows
    else if ((type === 'memory.stored' || type === 'memory.updated') && data !== null) states.push({ version, state: data });
  }
  return { states, deletions };
}
