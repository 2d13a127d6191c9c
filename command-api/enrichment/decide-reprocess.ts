/** Decides POST /enrichment/reprocess: an event for each memory that says it is to be enriched again, whatever was done before. */
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory } from '../../shared/graph/graph.js';
import { newEvent, type Decision, type Facts } from '../decision.js';
import { differences } from '../memories/differences.js';

/** A pattern is made by enrichment and has none of its own. The revision stays: a caller's ETag is about what callers change. */
export function decideReprocess(loaded: readonly LoadedMemory[], facts: Facts): Decision {
  const events = loaded
    .filter(({ memory }) => memory.type !== 'MetaPattern')
    .map(({ memory: before, vectorRef, version, revision }, index) => {
      const { enriched_at: _at, ...kept } = before;
      const memory: Memory = { ...kept, enriched: false, processed: false };
      return newEvent(facts, index, {
        type: 'memory.enrichment.requested',
        data: { memory, vectorRef, changed: differences(before, memory), forced: true },
        subject: before.id,
        partitionKey: before.id,
        version: version + 1,
        revision,
      });
    });
  return { events, requires: [], vectors: [] };
}
