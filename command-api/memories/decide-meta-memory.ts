/**
 * Decides on meta memories, which have the type MetaPattern and are written by the service alone: observed patterns,
 * and summaries of clusters of similar memories. `before` is the memory, or what is left of a deleted one: a meta
 * memory that a caller deleted returns as the next version of its subject.
 */
import type { ClusterSummary } from '../../shared/contract/consolidation/commands.js';
import type { ObservedPattern } from '../../shared/contract/enrichment.js';
import type { NewEvent } from '../../shared/contract/events.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import {
  changedProperties,
  type Decision,
  type Facts,
  memoryEvent,
  newEvent,
  NOTHING_CHANGES,
  oneEvent,
} from '../decision.js';

const IMPORTANCE = 0.5;
const CLUSTER = { confidence: 0.8, relevance_score: 0.9, strength: 1 } as const;

/** The version and revision before the first event of a memory. */
export const NO_TOMBSTONE: Tombstone = { version: 0, revision: 0 };

/** A meta memory is never enriched, so it counts as enriched from the start. */
const ENRICHED = { enriched: true, processed: true } as const;

export function decidePattern(
  before: LoadedMemory | Tombstone,
  { id, content, confidence, metadata, derivedFrom = [] }: ObservedPattern,
  facts: Facts,
): Decision {
  if (!('memory' in before))
    return oneEvent(stored(newMemory({ id, content, confidence, metadata }, facts), before, facts), derivedFrom);
  const data = rewritten(before, { ...before.memory, content, confidence, metadata, ...ENRICHED }, facts);
  if (data === null) return NOTHING_CHANGES;
  // The earlier versions have words of memories that may be deleted.
  const event = memoryEvent({ facts, loaded: before }, { type: 'memory.updated', data });
  return { ...oneEvent(event, derivedFrom), erases: [id] };
}

/** The metadata name the members, so equal metadata mean equal members. */
export function decideCluster(
  before: LoadedMemory | Tombstone,
  { id, content, metadata, reason, members, derivedFrom = [] }: ClusterSummary,
  facts: Facts,
): Decision {
  const { confidence, relevance_score, strength } = CLUSTER;
  const derived = members.map((target) => ({ target, type: 'SUMMARIZES' as const, strength, properties: {} }));
  if ('memory' in before) {
    const { archived: _archived, archived_at: _archivedAt, ...kept } = before.memory;
    const state = rewritten(before, { ...kept, content, metadata }, facts, { relevance_score });
    if (state === null) return NOTHING_CHANGES;
    const data = { ...state, reason, derived };
    return oneEvent(memoryEvent({ facts, loaded: before }, { type: 'memory.cluster.changed', data }), derivedFrom);
  }
  const memory: Memory = { ...newMemory({ id, content, confidence, metadata }, facts), relevance_score };
  // Two events: a memory begins with `memory.stored`, which carries no associations.
  const first = stored(memory, before, facts);
  const loaded = { memory, version: first.version, revision: first.revision };
  const data = { memory, vectorRef: null, changed: [], reason, derived };
  const joined = memoryEvent({ facts, loaded, index: 1 }, { type: 'memory.cluster.changed', data });
  return { events: [first, joined], requires: derivedFrom, vectors: [] };
}

function newMemory(
  { id, content, confidence, metadata }: Pick<Memory, 'id' | 'content' | 'confidence' | 'metadata'>,
  { now }: Facts,
): Memory {
  return {
    id,
    content,
    type: 'MetaPattern',
    confidence,
    tags: [],
    tag_prefixes: [],
    importance: IMPORTANCE,
    metadata,
    timestamp: now,
    updated_at: now,
    last_accessed: now,
    t_valid: now,
    ...ENRICHED,
  };
}

function stored(memory: Memory, { version, revision }: Tombstone, facts: Facts): NewEvent {
  return newEvent(facts, 0, {
    type: 'memory.stored',
    data: { memory, vectorRef: null, changed: Object.keys(memory) },
    subject: memory.id,
    partitionKey: memory.id,
    version: version + 1,
    revision: revision + 1,
  });
}

/** The memory with its new content and metadata, and with `more`; null when nothing but `more` would change. */
function rewritten(
  { memory: before, vectorRef }: LoadedMemory,
  updated: Memory,
  { now }: Facts,
  more: Partial<Memory> = {},
) {
  if (changedProperties(before, updated).length === 0) return null;
  const memory: Memory = { ...updated, ...more, updated_at: now };
  const changed = changedProperties(before, memory);
  return { memory, vectorRef: changed.includes('content') ? null : vectorRef, changed };
}
