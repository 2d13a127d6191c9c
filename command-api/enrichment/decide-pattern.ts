/** Decides on an observed pattern: stores it as a new memory of type MetaPattern, or updates the existing one. */
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import { changedProperties, type Decision, type Facts, newEvent, NOTHING_CHANGES } from '../decision.js';

const PATTERN_IMPORTANCE = 0.5;

/** The version and revision before the first event of a memory. */
export const NO_TOMBSTONE: Tombstone = { version: 0, revision: 0 };

/**
 * `before`: the memory, or what is left of a deleted one: a pattern that a caller deleted returns as the next version
 * of its subject.
 */
export function decidePattern(before: LoadedMemory | Tombstone, pattern: ObservedPattern, facts: Facts): Decision {
  return 'memory' in before ? updatePattern(before, pattern, facts) : createPattern(before, pattern, facts);
}

/** A pattern is never enriched, so it counts as enriched from the start. */
const ENRICHED = { enriched: true, processed: true } as const;

function createPattern(
  { version, revision }: Tombstone,
  { id, content, confidence, metadata }: ObservedPattern,
  facts: Facts,
): Decision {
  const { now } = facts;
  const memory: Memory = {
    id,
    content,
    type: 'MetaPattern',
    confidence,
    tags: [],
    tag_prefixes: [],
    importance: PATTERN_IMPORTANCE,
    metadata,
    timestamp: now,
    updated_at: now,
    last_accessed: now,
    t_valid: now,
    ...ENRICHED,
  };
  const data = { memory, vectorRef: null, changed: Object.keys(memory) };
  const next = { version: version + 1, revision: revision + 1 };
  return oneEvent(newEvent(facts, 0, { type: 'memory.stored', data, subject: id, partitionKey: id, ...next }));
}

/** The revision stays, because no caller changed anything. */
function updatePattern(
  { memory: before, vectorRef, version, revision }: LoadedMemory,
  { id, content, confidence, metadata }: ObservedPattern,
  facts: Facts,
): Decision {
  const updated: Memory = { ...before, content, confidence, metadata, ...ENRICHED };
  if (changedProperties(before, updated).length === 0) return NOTHING_CHANGES;
  const memory: Memory = { ...updated, updated_at: facts.now };
  const changed = changedProperties(before, memory);
  const data = { memory, vectorRef: changed.includes('content') ? null : vectorRef, changed };
  return oneEvent(
    newEvent(facts, 0, { type: 'memory.updated', data, subject: id, partitionKey: id, version: version + 1, revision }),
  );
}

function oneEvent(event: Decision['events'][number]): Decision {
  return { events: [event], requires: [], vectors: [] };
}
