/** What a batch of events asks the enricher for, pure: each memory once, by its newest event that leaves it unenriched. */
import { isStateEvent, type RecordedEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';

export type Wanted = {
  readonly id: MemoryId;
  /** Of the memory after the event. */
  readonly version: number;
  readonly eventId: string;
  /** Somebody asked for it, whatever was done before. */
  readonly isForced: boolean;
};

/**
 * A change of content, tags or metadata and a request take `enriched` from a memory, other changes leave it, so the state that an event
 * carries says whether there is something to do; the same event again finds the memory enriched.
 */
export function awaitsEnrichment({ type, enriched }: Pick<Memory, 'type' | 'enriched'>): boolean {
  return !enriched && type !== 'MetaPattern';
}

export function wantedEnrichments(events: readonly RecordedEvent[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const event of events) {
    // without data the memory was erased, and its deletion follows
    if (!isStateEvent(event) || event.data === null || !awaitsEnrichment(event.data.memory)) continue;
    const known = wanted.get(event.subject);
    const isForced = known?.isForced === true || (event.type === 'memory.enrichment.requested' && event.data.forced);
    const newest =
      known !== undefined && known.version > event.version
        ? known
        : { id: event.data.memory.id, version: event.version, eventId: event.id };
    wanted.set(event.subject, { ...newest, isForced });
  }
  return [...wanted.values()];
}
