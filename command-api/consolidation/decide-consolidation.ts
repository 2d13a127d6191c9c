/** Decides the commands of the consolidator. The revision of a memory stays, because no caller changed anything. */
import { associationSubject } from '../../shared/contract/association.js';
import type {
  Archiving,
  Discovery,
  Forgetting,
  RelevanceChange,
} from '../../shared/contract/consolidation/commands.js';
import type { Memory } from '../../shared/contract/memory.js';
import type { LoadedMemory } from '../../shared/ports/graph.js';
import { changedProperties, type Decision, type Facts, newEvent, NOTHING_CHANGES } from '../decision.js';

export function decideRelevance(
  loaded: LoadedMemory,
  { relevance, reason }: Pick<RelevanceChange, 'relevance' | 'reason'>,
  facts: Facts,
): Decision {
  const memory: Memory = { ...loaded.memory, relevance_score: relevance };
  return consolidated('memory.relevance.changed', { loaded, memory, reason }, facts);
}

export function decideArchive(
  loaded: LoadedMemory,
  { relevance, reason }: Pick<Archiving, 'relevance' | 'reason'>,
  facts: Facts,
): Decision {
  if (loaded.memory.archived === true) return NOTHING_CHANGES;
  const memory: Memory = { ...loaded.memory, archived: true, archived_at: facts.now, relevance_score: relevance };
  return consolidated('memory.archived', { loaded, memory, reason }, facts);
}

export function decideForget(loaded: LoadedMemory, { reason }: Pick<Forgetting, 'reason'>, facts: Facts): Decision {
  const { memory, version, revision } = loaded;
  const event = newEvent(facts, 0, {
    type: 'memory.deleted',
    data: { reason },
    subject: memory.id,
    partitionKey: memory.id,
    version: version + 1,
    revision: revision + 1,
  });
  return { events: [event], requires: [], vectors: [] };
}

/** For two memories without such an association. */
export function decideDiscovery({ source, target, strength, properties, reason }: Discovery, facts: Facts): Decision {
  const times = { created_at: facts.now, updated_at: facts.now };
  const association = { source, target, type: 'DISCOVERED' as const, strength, properties, ...times };
  const event = newEvent(facts, 0, {
    type: 'association.created',
    data: { association, changed: ['strength', 'updated_at', ...Object.keys(properties)], reason },
    subject: associationSubject(association),
    partitionKey: source,
    version: 1,
    revision: 1,
  });
  return { events: [event], requires: [source, target], vectors: [] };
}

type Change = { readonly loaded: LoadedMemory; readonly memory: Memory; readonly reason: string };

/** One event with the whole memory after the change; none when nothing changes. */
export function consolidated(
  type: 'memory.relevance.changed' | 'memory.archived' | 'memory.restored',
  { loaded: { memory: before, vectorRef, version, revision }, memory, reason }: Change,
  facts: Facts,
): Decision {
  const changed = changedProperties(before, memory);
  if (changed.length === 0) return NOTHING_CHANGES;
  const event = newEvent(facts, 0, {
    type,
    data: { memory, vectorRef, changed, reason },
    subject: before.id,
    partitionKey: before.id,
    version: version + 1,
    revision,
  });
  return { events: [event], requires: [], vectors: [] };
}
