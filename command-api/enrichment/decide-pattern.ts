/** Decides what becomes of an observed pattern: a memory of its own, or new words of the one that is there. */
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory } from '../../shared/graph/graph.js';
import { newEvent, NOTHING_CHANGES, type Decision, type Facts } from '../decision.js';
import { differences } from '../memories/differences.js';

const PATTERN_IMPORTANCE = 0.5;

export function decidePattern(loaded: LoadedMemory | undefined, pattern: ObservedPattern, facts: Facts): Decision {
  return loaded ? rewritten(loaded, pattern, facts) : written(pattern, facts);
}

/** It has nothing to be enriched by. */
const ENRICHED = { enriched: true, processed: true } as const;

function written({ id, content, confidence, metadata }: ObservedPattern, facts: Facts): Decision {
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
  return oneEvent(
    newEvent(facts, 0, { type: 'memory.stored', data, subject: id, partitionKey: id, version: 1, revision: 1 }),
  );
}

/** The revision stays: no caller changed anything. */
function rewritten(
  { memory: before, vectorRef, version, revision }: LoadedMemory,
  { id, content, confidence, metadata }: ObservedPattern,
  facts: Facts,
): Decision {
  const said: Memory = { ...before, content, confidence, metadata, ...ENRICHED };
  if (differences(before, said).length === 0) return NOTHING_CHANGES;
  const memory: Memory = { ...said, updated_at: facts.now };
  const changed = differences(before, memory);
  const data = { memory, vectorRef: changed.includes('content') ? null : vectorRef, changed };
  return oneEvent(
    newEvent(facts, 0, { type: 'memory.updated', data, subject: id, partitionKey: id, version: version + 1, revision }),
  );
}

function oneEvent(event: Decision['events'][number]): Decision {
  return { events: [event], requires: [], vectors: [] };
}
