/** Records the commands of the consolidator. Its next run sees what changed meanwhile. */
import { type AssociationKey, associationSubject } from '../../shared/contract/association.js';
import {
  type Archiving,
  CONSOLIDATION_COMMANDS_LIMIT,
  type ConsolidationCommand,
  type ConsolidationOutcome,
  type Discovery,
  type EntityDescription,
  type EntityMerge,
  type EntityRedraw,
  type Forgetting,
  type RecordConsolidation,
  type RelevanceChange,
} from '../../shared/contract/consolidation/commands.js';
import type { EntityKey } from '../../shared/contract/entities/entity.js';
import type { Memory, MemoryId } from '../../shared/contract/memory.js';
import { areDistinct } from '../../shared/entities/entities-in-pairs.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { GraphReader, LoadedEntity, LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import { decideNewAssociation } from '../associations/associate.js';
import { changedProperties, type Decision, type Facts, memoryEvent, NOTHING_CHANGES, oneEvent } from '../decision.js';
import {
  decideIdentity,
  decideMerge,
  decideMove,
  decideRedraw,
  endOfMerges,
  mergesOf,
  readRecords,
  readSourceMemories,
} from '../entities/decide-merge.js';
import { decideCluster, NO_TOMBSTONE } from '../memories/decide-meta-memory.js';
import { createRecordCommands, type RecordDeps } from '../record-commands.js';

export type RecordConsolidationDeps = RecordDeps & {
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones' | 'associations' | 'entities' | 'idsByTag'>;
};

export function createRecordConsolidation({ graph, ...deps }: RecordConsolidationDeps): RecordConsolidation {
  return createRecordCommands<ConsolidationCommand, State, 'unchanged'>(deps, {
    name: 'consolidator',
    limit: CONSOLIDATION_COMMANDS_LIMIT,
    mostEvents: 2, // a new meta memory, and a merge
    load: (commands) => load(commands, graph),
    decide: (command, state, facts) => {
      const decision = decide(command, state, facts);
      return typeof decision === 'string' || decision.events.length > 0 ? decision : 'unchanged';
    },
  });
}

type State = {
  readonly memories: ReadonlyMap<MemoryId, LoadedMemory>;
  readonly tombstones: ReadonlyMap<MemoryId, Tombstone>;
  /** Subjects of the discoveries that are known. */
  readonly known: ReadonlySet<string>;
  /** Records of the entities of the commands, and of those that they were merged into. */
  readonly entities: ReadonlyMap<string, LoadedEntity>;
  /** The memories that name the source of a merge, by the key of the entity that it is now. */
  readonly sourceMemories: ReadonlyMap<string, readonly MemoryId[]>;
};

async function load(
  commands: readonly ConsolidationCommand[],
  graph: RecordConsolidationDeps['graph'],
): Promise<State> {
  const wanted = [...new Set(commands.flatMap((one) => ('id' in one ? [one.id] : [])))];
  const memories = new Map((await graph.memories(wanted)).map((one) => [one.memory.id, one]));
  const clusters = commands.flatMap((one) => (one.kind === 'cluster' && !memories.has(one.id) ? [one.id] : []));
  const discoveries = commands.filter((one) => one.kind === 'discovery');
  const [tombstones, associations, entities] = await Promise.all([
    clusters.length === 0 ? new Map<MemoryId, Tombstone>() : graph.tombstones(clusters),
    discoveries.length === 0 ? [] : graph.associations(discoveries.map(keyOf)),
    readRecords(commands.flatMap(entityKeys), graph),
  ]);
  const merged = commands.flatMap((one) => (one.kind === 'merge' ? [endOfMerges(one.source, entities)] : []));
  const sourceMemories = new Map<string, readonly MemoryId[]>();
  for (const key of merged) sourceMemories.set(mergeKey(key), await readSourceMemories(key, graph));
  return {
    memories,
    tombstones,
    entities,
    sourceMemories,
    known: new Set(associations.map(({ association }) => associationSubject(association))),
  };
}

function entityKeys(command: ConsolidationCommand): readonly EntityKey[] {
  if (command.kind === 'identity' || command.kind === 'redraw') return [command.entity];
  return command.kind === 'merge' || command.kind === 'move' ? [command.source, command.target] : [];
}

/** For two memories without such an association. */
function decideDiscovery({ strength, properties, reason, ...ends }: Discovery, facts: Facts): Decision {
  const times = { created_at: facts.now, updated_at: facts.now };
  return decideNewAssociation({ ...keyOf(ends), strength, properties, ...times }, facts, reason);
}

function keyOf({ source, target }: Pick<Discovery, 'source' | 'target'>): AssociationKey {
  return { source, target, type: 'DISCOVERED' };
}

function decide(command: ConsolidationCommand, state: State, facts: Facts): Decision | ConsolidationOutcome {
  if (command.kind === 'discovery')
    return state.known.has(associationSubject(keyOf(command))) ? 'unchanged' : decideDiscovery(command, facts);
  if (command.kind === 'merge' || command.kind === 'identity' || command.kind === 'redraw')
    return decideEntity(command, state, facts);
  const loaded = state.memories.get(command.id);
  if ((loaded?.version ?? 0) !== command.expectedVersion) return loaded ? 'outdated' : 'absent';
  if (command.kind === 'cluster')
    return decideCluster(loaded ?? state.tombstones.get(command.id) ?? NO_TOMBSTONE, command, facts);
  if (!loaded) return 'absent';
  switch (command.kind) {
    case 'relevance':
      return decideRelevance(loaded, command, facts);
    case 'archive':
      return decideArchive(loaded, command, facts);
    case 'delete':
      return decideForget(loaded, command, facts);
    case 'move':
      // A request undid the merge in between.
      if (mergeKey(endOfMerges(command.source, state.entities)) === mergeKey(command.source)) return 'outdated';
      return decideMove([loaded], { ...command, merges: mergesOf([command.source], state.entities) }, facts);
    default:
      return command satisfies never;
  }
}

function decideEntity(
  command: EntityMerge | EntityDescription | EntityRedraw,
  { entities, sourceMemories }: State,
  facts: Facts,
): Decision | ConsolidationOutcome {
  if (command.kind === 'merge') {
    const [source, target] = [endOfMerges(command.source, entities), endOfMerges(command.target, entities)];
    if (mergeKey(source) === mergeKey(target) || areDistinct(source, target, entities)) return 'unchanged';
    const memories = sourceMemories.get(mergeKey(source)) ?? [];
    return decideMerge({ source, target, records: entities, sourceMemories: memories, reason: command.reason }, facts);
  }
  const loaded = entities.get(mergeKey(command.entity));
  const known = loaded?.entity.erased_at === undefined ? (loaded?.version ?? 0) : 0; // an erased record is not shown
  if (known !== command.expectedVersion) return 'outdated';
  if (command.kind === 'redraw') return loaded ? decideRedraw(command, loaded, facts) : 'absent';
  return loaded?.entity.merged_into === undefined ? decideIdentity(command, loaded, facts) : 'outdated';
}

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
  return oneEvent(memoryEvent({ facts, loaded, isByCaller: true }, { type: 'memory.deleted', data: { reason } }));
}

type Change = { readonly loaded: LoadedMemory; readonly memory: Memory; readonly reason: string };

/** One event with the whole memory after the change; none when nothing changes. */
export function consolidated(
  type: 'memory.relevance.changed' | 'memory.archived' | 'memory.restored',
  { loaded, memory, reason }: Change,
  facts: Facts,
): Decision {
  const changed = changedProperties(loaded.memory, memory);
  if (changed.length === 0) return NOTHING_CHANGES;
  const data = { memory, vectorRef: loaded.vectorRef, changed, reason };
  return oneEvent(memoryEvent({ facts, loaded }, { type, data }));
}
