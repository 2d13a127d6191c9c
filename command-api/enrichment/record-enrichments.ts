/** Records the results of the enricher. A newer event makes the enricher process a memory again. */
import {
  ENRICHMENT_COMMANDS_LIMIT,
  type EnrichmentCommand,
  type EnrichmentOutcome,
  type ObservedPattern,
  type RecordEnrichments,
} from '../../shared/contract/enrichment.js';
import type { EntityKey } from '../../shared/contract/entities/entity.js';
import type { MemoryId } from '../../shared/contract/memory.js';
import { keysOfNames, type Merges, renamedEntities } from '../../shared/entities/rename-entities.js';
import type { GraphReader, LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import type { Decision, Facts } from '../decision.js';
import { readMerges } from '../entities/decide-merge.js';
import { decidePattern, NO_TOMBSTONE } from '../memories/decide-meta-memory.js';
import { createRecordCommands, type RecordDeps } from '../record-commands.js';
import { decideEnriched, decideFailed } from './decide-enrichment.js';

export type RecordEnrichmentsDeps = RecordDeps & {
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones' | 'entities'>;
};

type State = {
  readonly memories: ReadonlyMap<MemoryId, LoadedMemory>;
  /** Of new patterns. */
  readonly tombstones: ReadonlyMap<MemoryId, Tombstone>;
  readonly merges: Merges;
};

export function createRecordEnrichments({ graph, ...deps }: RecordEnrichmentsDeps): RecordEnrichments {
  return createRecordCommands<EnrichmentCommand, State>(deps, {
    name: 'enricher',
    limit: ENRICHMENT_COMMANDS_LIMIT,
    mostEvents: 1,
    load: async (commands) => {
      const loaded = await graph.memories([...new Set(commands.map(({ id }) => id))]);
      const memories = new Map(loaded.map((one) => [one.memory.id, one]));
      const newPatterns = commands.filter((command) => isNewPattern(command) && !memories.has(command.id));
      const tombstones = newPatterns.length === 0 ? new Map() : await graph.tombstones(newPatterns.map(({ id }) => id));
      return { memories, tombstones, merges: await readMerges(commands.flatMap(namedEntities), graph) };
    },
    decide: (command, { memories, tombstones, merges }, facts) =>
      decide(memories.get(command.id) ?? tombstones.get(command.id), withMerges(command, merges), {
        ...facts,
        causationId: command.causationId,
      }),
  });
}

function namedEntities(command: EnrichmentCommand): readonly EntityKey[] {
  return command.kind === 'enriched' ? keysOfNames(command.entities) : [];
}

/** A merged entity has the name of the entity that it was merged into, whatever the content says. */
function withMerges(command: EnrichmentCommand, merges: Merges): EnrichmentCommand {
  return command.kind === 'enriched' && merges.size > 0
    ? { ...command, entities: renamedEntities(command.entities, merges) }
    : command;
}

function isNewPattern({ kind, expectedVersion }: EnrichmentCommand): boolean {
  return kind === 'pattern' && expectedVersion === 0;
}

/** The decision to commit, or the outcome without one. A tombstone is passed for new patterns only. */
function decide(
  before: LoadedMemory | Tombstone | undefined,
  command: EnrichmentCommand,
  facts: Facts,
): Decision | EnrichmentOutcome {
  const loaded = before && 'memory' in before ? before : undefined;
  if (!loaded && !isNewPattern(command)) return 'absent';
  if ((loaded?.version ?? 0) !== command.expectedVersion) return 'outdated';
  const decision =
    command.kind === 'pattern'
      ? decidePattern(before ?? NO_TOMBSTONE, command, facts)
      : decideOutcome(loaded, command, facts);
  return decision.events.length === 0 ? 'done' : decision;
}

function decideOutcome(
  loaded: LoadedMemory | undefined,
  command: Exclude<EnrichmentCommand, ObservedPattern>,
  facts: Facts,
): Decision {
  if (!loaded) throw new Error('A result for an absent memory reached the decision.');
  return command.kind === 'enriched' ? decideEnriched(loaded, command, facts) : decideFailed(loaded, command, facts);
}
