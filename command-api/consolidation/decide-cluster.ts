/** Decides on the meta memory of similar memories: a memory of type MetaPattern with an association to each member. */
import type { ClusterSummary } from '../../shared/contract/consolidation/commands.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import { changedProperties, type Decision, type Facts, newEvent, NOTHING_CHANGES } from '../decision.js';

const IMPORTANCE = 0.5;
const CONFIDENCE = 0.8;
const RELEVANCE = 0.9;
const STRENGTH = 1;

/**
 * `before`: the memory, or what is left of a deleted one. The metadata name the members, so equal metadata mean equal
 * members.
 */
export function decideCluster(before: LoadedMemory | Tombstone, cluster: ClusterSummary, facts: Facts): Decision {
  return 'memory' in before ? updateCluster(before, cluster, facts) : createCluster(before, cluster, facts);
}

/** Two events: a memory begins with `memory.stored`, which carries no associations. */
function createCluster(
  { version, revision }: Tombstone,
  { id, content, metadata, reason, ...cluster }: ClusterSummary,
  facts: Facts,
): Decision {
  const { now } = facts;
  const memory: Memory = {
    id,
    content,
    type: 'MetaPattern',
    confidence: CONFIDENCE,
    tags: [],
    tag_prefixes: [],
    importance: IMPORTANCE,
    metadata,
    timestamp: now,
    updated_at: now,
    last_accessed: now,
    t_valid: now,
    enriched: true,
    processed: true,
    relevance_score: RELEVANCE,
  };
  const next = { subject: id, partitionKey: id, revision: revision + 1 };
  const stored = newEvent(facts, 0, {
    type: 'memory.stored',
    data: { memory, vectorRef: null, changed: Object.keys(memory) },
    ...next,
    version: version + 1,
  });
  const joined = newEvent(facts, 1, {
    type: 'memory.cluster.changed',
    data: { memory, vectorRef: null, changed: [], reason, derived: associationsOf(cluster) },
    ...next,
    version: version + 2,
  });
  return { events: [stored, joined], requires: [], vectors: [] };
}

function updateCluster(
  { memory: before, vectorRef, version, revision }: LoadedMemory,
  { id, content, metadata, reason, ...cluster }: ClusterSummary,
  facts: Facts,
): Decision {
  const { archived: _archived, archived_at: _archivedAt, ...kept } = before;
  const updated: Memory = { ...kept, content, metadata };
  if (changedProperties(before, updated).length === 0) return NOTHING_CHANGES;
  const memory: Memory = { ...updated, relevance_score: RELEVANCE, updated_at: facts.now };
  const changed = changedProperties(before, memory);
  const event = newEvent(facts, 0, {
    type: 'memory.cluster.changed',
    data: {
      memory,
      vectorRef: changed.includes('content') ? null : vectorRef,
      changed,
      reason,
      derived: associationsOf(cluster),
    },
    subject: id,
    partitionKey: id,
    version: version + 1,
    revision,
  });
  return { events: [event], requires: [], vectors: [] };
}

function associationsOf({ members }: Pick<ClusterSummary, 'members'>) {
  return members.map((target) => ({ target, type: 'SUMMARIZES' as const, strength: STRENGTH, properties: {} }));
}
