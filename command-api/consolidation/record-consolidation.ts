/** Records the commands of the consolidator. Its next run sees what changed meanwhile. */
import { type AssociationKey, associationSubject } from '../../shared/contract/association.js';
import {
  CONSOLIDATION_COMMANDS_LIMIT,
  type ConsolidationCommand,
  type ConsolidationOutcome,
  type Discovery,
  type EntityDescription,
  type EntityMerge,
  type RecordConsolidation,
} from '../../shared/contract/consolidation/commands.js';
import type { EntityKey } from '../../shared/contract/entities/entity.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { mergeKey } from '../../shared/entities/rename-entities.js';
import type { GraphReader, LoadedEntity, LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import type { Decision, Facts } from '../decision.js';
import { decideIdentity, decideMerge, decideMove } from '../entities/decide-merge.js';
import { endOfMerges, followMerges, mergesOf } from '../entities/read-merges.js';
import { createRecordCommands, type RecordDeps } from '../record-commands.js';
import { decideCluster } from './decide-cluster.js';
import { decideArchive, decideDiscovery, decideForget, decideRelevance } from './decide-consolidation.js';

export type RecordConsolidationDeps = RecordDeps & {
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones' | 'associations' | 'entities'>;
};

const NO_TOMBSTONE: Tombstone = { version: 0, revision: 0 };

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
    followMerges(commands.flatMap(entityKeys), graph),
  ]);
  return {
    memories,
    tombstones,
    entities,
    known: new Set(associations.map(({ association }) => associationSubject(association))),
  };
}

function entityKeys(command: ConsolidationCommand): readonly EntityKey[] {
  if (command.kind === 'identity') return [command.entity];
  return command.kind === 'merge' || command.kind === 'move' ? [command.source, command.target] : [];
}

function keyOf({ source, target }: Discovery): AssociationKey {
  return { source, target, type: 'DISCOVERED' };
}

function decide(command: ConsolidationCommand, state: State, facts: Facts): Decision | ConsolidationOutcome {
  if (command.kind === 'discovery')
    return state.known.has(associationSubject(keyOf(command))) ? 'unchanged' : decideDiscovery(command, facts);
  if (command.kind === 'merge' || command.kind === 'identity') return decideEntity(command, state, facts);
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
      return decideMove([loaded], { ...command, merges: mergesOf([command.source], state.entities) }, facts);
    default:
      return command satisfies never;
  }
}

function decideEntity(
  command: EntityMerge | EntityDescription,
  { entities }: State,
  facts: Facts,
): Decision | ConsolidationOutcome {
  if (command.kind === 'merge') {
    const [source, target] = [endOfMerges(command.source, entities), endOfMerges(command.target, entities)];
    if (mergeKey(source) === mergeKey(target)) return 'unchanged';
    return decideMerge({ source, target, records: entities, reason: command.reason }, facts);
  }
  const loaded = entities.get(mergeKey(command.entity));
  if ((loaded?.version ?? 0) !== command.expectedVersion) return 'outdated';
  return loaded?.entity.merged_into === undefined ? decideIdentity(command, loaded, facts) : 'outdated';
}
