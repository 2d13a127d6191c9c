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
import { entityId } from '../../shared/entities/entity-key.js';
import { keysOfNames, mergeKey, renamedEntities } from '../../shared/entities/rename-entities.js';
import { ConflictError } from '../../shared/kernel/errors.js';
import type { GraphReader, LoadedEntity, LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import { MAX_ATTEMPTS } from '../command-runner.js';
import type { Decision, Facts } from '../decision.js';
import { endOfMerges, followMerges, mergesOf } from '../entities/decide-merge.js';
import { pathBetween } from '../entities/merge-entity.js';
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
  /** Of the named entities and those that they were merged into. */
  readonly records: ReadonlyMap<string, LoadedEntity>;
};

export function createRecordEnrichments({ graph, ...deps }: RecordEnrichmentsDeps): RecordEnrichments {
  /** Commands whose decision depends on merges. */
  const renamed = new WeakSet<EnrichmentCommand>();
  const record = createRecordCommands<EnrichmentCommand, State>(deps, {
    name: 'enricher',
    limit: ENRICHMENT_COMMANDS_LIMIT,
    mostEvents: 1,
    load: async (commands) => {
      const loaded = await graph.memories([...new Set(commands.map(({ id }) => id))]);
      const memories = new Map(loaded.map((one) => [one.memory.id, one]));
      const newPatterns = commands.filter((command) => isNewPattern(command) && !memories.has(command.id));
      const tombstones = newPatterns.length === 0 ? new Map() : await graph.tombstones(newPatterns.map(({ id }) => id));
      return { memories, tombstones, records: await followMerges(commands.flatMap(namedEntities), graph) };
    },
    decide: (command, { memories, tombstones, records }, facts) => {
      const named = withMerges(command, records);
      const before = memories.get(command.id) ?? tombstones.get(command.id);
      const decision = decide(before, named.command, { ...facts, causationId: command.causationId });
      if (typeof decision === 'string' || named.unchanged.length === 0) return decision;
      renamed.add(command);
      return { ...decision, unchanged: named.unchanged };
    },
  });

  return async (commands) => {
    const outcomes = [...(await record(commands))];
    for (let attempt = 1; ; attempt++) {
      const again = commands.flatMap((command, index) =>
        outcomes[index] === 'outdated' && renamed.delete(command) ? [{ command, index }] : [],
      );
      if (again.length === 0) return outcomes;
      if (attempt === MAX_ATTEMPTS)
        throw new ConflictError(`Requests changed the same merges during all ${MAX_ATTEMPTS} attempts`, 1);
      const repeated = await record(again.map(({ command }) => command));
      for (const [at, { index }] of again.entries()) outcomes[index] = repeated[at] ?? 'outdated';
    }
  };
}

function namedEntities(command: EnrichmentCommand): readonly EntityKey[] {
  return command.kind === 'enriched' ? keysOfNames(command.entities) : [];
}

type Named = { readonly command: EnrichmentCommand; readonly unchanged: NonNullable<Decision['unchanged']> };

/**
 * A merged entity has the name of the entity that it was merged into, whatever the content says. `unchanged`: the
 * merged records. After an undo of the merge the commit is refused, so the undo never misses a name that it ended.
 */
function withMerges(command: EnrichmentCommand, records: State['records']): Named {
  const keys = namedEntities(command);
  const merges = mergesOf(keys, records);
  if (command.kind !== 'enriched' || merges.size === 0) return { command, unchanged: [] };
  const merged = new Map(
    keys
      .flatMap((key) => pathBetween(key, endOfMerges(key, records), records))
      .flatMap((key) => records.get(mergeKey(key)) ?? [])
      .map(({ entity, version }) => [entityId(entity), version]),
  );
  return {
    command: { ...command, entities: renamedEntities(command.entities, merges) },
    unchanged: [...merged].map(([subject, version]) => ({ subject, version })),
  };
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
