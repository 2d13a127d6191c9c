/** Decides what becomes of a memory by what the enricher found out about it: one `memory.enriched`, which no caller's ETag notices. */
import type { DerivedAssociation } from '../../shared/contract/association.js';
import type { EnrichmentResult } from '../../shared/contract/enrichment.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory } from '../../shared/graph/graph.js';
import { tagPrefixes } from '../../shared/text/tags.js';
import { newEvent, type Decision, type Facts } from '../decision.js';
import { differences } from '../memories/differences.js';
import { enrichedMetadata } from './enriched-metadata.js';
import { enrichedTags } from './enriched-tags.js';

export function decideEnriched(
  { memory: before, vectorRef, version, revision }: LoadedMemory,
  result: EnrichmentResult,
  facts: Facts,
): Decision {
  const memory = enrichedMemory(before, result, facts);
  const event = newEvent(facts, 0, {
    type: 'memory.enriched',
    data: { memory, vectorRef, changed: differences(before, memory), derived: ownSet(before, result.derived) },
    subject: before.id,
    partitionKey: before.id,
    version: version + 1,
    revision,
  });
  return { events: [event], requires: [], vectors: [] };
}

function enrichedMemory(
  before: Memory,
  { entities: found, summary, findings }: EnrichmentResult,
  { now }: Facts,
): Memory {
  const { entities: former = {}, ...kept } = before;
  const entities = Object.fromEntries(
    Object.entries(found)
      .filter(([, names]) => names.length > 0)
      .map(([category, names]) => [category, [...names]]),
  );
  const tags = enrichedTags(before.tags, { former, entities });
  return {
    ...kept,
    tags,
    tag_prefixes: tagPrefixes(tags),
    metadata: enrichedMetadata(before.metadata, { former, entities, findings, now }),
    ...(Object.keys(entities).length === 0 ? {} : { entities }),
    ...(summary === null ? {} : { summary }),
    enriched: true,
    enriched_at: now,
    processed: true,
  };
}

/** A set: each association once, and none of a memory with itself. */
function ownSet({ id }: Memory, derived: readonly DerivedAssociation[]): readonly DerivedAssociation[] {
  const byKey = new Map<string, DerivedAssociation>();
  for (const one of derived) {
    const key = `${one.type}|${one.target}`;
    if (one.target !== id && !byKey.has(key)) byKey.set(key, one);
  }
  return [...byKey.values()];
}
