/**
 * The memories that a batch of events leaves without enrichment: each memory once, with its newest event of that kind.
 */
import { isStateEvent, type RecordedEvent } from '../../shared/contract/events.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';

export type WantedEnrichment = {
  readonly id: MemoryId;
  /** The version of the memory after the event. */
  readonly version: number;
  readonly eventId: string;
  /** The position of the event in the journal. */
  readonly position: number;
  /** A caller requested it, even if this version was enriched before. */
  readonly isForced: boolean;
};

/**
 * A request and a change of content, tags or metadata reset `enriched`; other changes do not. So the state in an event
 * shows whether there is work to do. When the same event comes again, the memory is already enriched.
 */
export function awaitsEnrichment({ type, enriched }: Pick<Memory, 'type' | 'enriched'>): boolean {
  return !enriched && type !== 'MetaPattern';
}

export function wantedEnrichments(events: readonly RecordedEvent[]): readonly WantedEnrichment[] {
  const wanted = new Map<string, WantedEnrichment>();
  for (const event of events) {
    // no data: the content was erased and the deletion follows
    if (!isStateEvent(event) || event.data === null || !awaitsEnrichment(event.data.memory)) continue;
    const known = wanted.get(event.subject);
    const isForced = known?.isForced === true || (event.type === 'memory.enrichment.requested' && event.data.forced);
    const newest =
      known !== undefined && known.version > event.version
        ? known
        : { id: event.data.memory.id, version: event.version, eventId: event.id, position: event.position };
    wanted.set(event.subject, { ...newest, isForced });
  }
  return [...wanted.values()];
}
