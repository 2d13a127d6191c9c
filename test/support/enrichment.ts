/** Events of enrichment for tests of what makes something of them. */
import type { DerivedAssociation } from '../../shared/contract/association.js';
import type { RecordedEvent } from '../../shared/contract/events.js';
import { memory, memoryId, updated } from './memories.js';

/** A derived association with memory `target`. */
export function derived(target: number, overrides: Partial<DerivedAssociation> = {}): DerivedAssociation {
  return { target: memoryId(target), type: 'SIMILAR_TO', strength: 0.9, properties: { score: 0.9 }, ...overrides };
}

/** Memory `number` enriched, in this version: `set` is all that it owns. */
export function enriched(number: number, version: number, set: readonly DerivedAssociation[]): RecordedEvent {
  const of = memory(number, { content: `Enriched as version ${version}`, enriched: true, processed: true });
  const event = updated(of, version);
  return {
    ...event,
    type: 'memory.enriched',
    data: { memory: of, vectorRef: null, changed: ['enriched'], derived: set },
  } as RecordedEvent; // another type of event, with its data
}
