/** Decides that a memory could not be enriched: the memory stays as it is, and an event says so. */
import type { EnrichmentFailure } from '../../shared/contract/enrichment.js';
import type { LoadedMemory } from '../../shared/graph/graph.js';
import { newEvent, type Decision, type Facts } from '../decision.js';

export function decideFailed(
  { memory, vectorRef, version, revision }: LoadedMemory,
  { attempts, error }: EnrichmentFailure,
  facts: Facts,
): Decision {
  const event = newEvent(facts, 0, {
    type: 'memory.enrichment.failed',
    data: { memory, vectorRef, changed: [], attempts, error },
    subject: memory.id,
    partitionKey: memory.id,
    version: version + 1,
    revision,
  });
  return { events: [event], requires: [], vectors: [] };
}
