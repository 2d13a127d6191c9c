/**
 * Records the results of the enricher: loads the memories, decides each command by itself, and commits all of them in one call. Decides
 * only once: when a memory has another version than the enricher read, a newer event makes the enricher process it again.
 */
import type {
  EnrichmentCommand,
  EnrichmentOutcome,
  ObservedPattern,
  RecordEnrichments,
} from '../../shared/contract/enrichment.js';
import { ENRICHMENT_COMMANDS_LIMIT } from '../../shared/contract/enrichment.js';
import type { EntityKey } from '../../shared/contract/entities/entity.js';
import type { Actor } from '../../shared/contract/envelope.js';
import { keysOfNames, type Merges, renamedEntities } from '../../shared/entities/rename-entities.js';
import { type Clock, formatTimestamp, type Ids } from '../../shared/kernel/clock.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import { currentTraceparent } from '../../shared/kernel/tracing/tracing.js';
import type { Command, Committer, Outcome } from '../../shared/ports/committer.js';
import type { GraphReader, LoadedMemory, Tombstone } from '../../shared/ports/graph.js';
import type { Decision, Facts } from '../decision.js';
import { readMerges } from '../entities/read-merges.js';
import { decideEnriched, decideFailed } from './decide-enrichment.js';
import { decidePattern, NO_TOMBSTONE } from './decide-pattern.js';

export type RecordEnrichmentsDeps = {
  readonly committer: Pick<Committer, 'commit'>;
  readonly graph: Pick<GraphReader, 'memories' | 'tombstones' | 'entities'>;
  readonly clock: Clock;
  readonly ids: Ids;
};

const ENRICHER: Actor = { name: 'enricher', tier: 'internal', agent: null };

export function createRecordEnrichments({ committer, graph, clock, ids }: RecordEnrichmentsDeps): RecordEnrichments {
  return async (commands) => {
    if (commands.length > ENRICHMENT_COMMANDS_LIMIT) {
      throw new ValidationError(`'commands' must have at most ${ENRICHMENT_COMMANDS_LIMIT} items`, 'commands');
    }
    const loaded = new Map(
      (await graph.memories([...new Set(commands.map(({ id }) => id))])).map((one) => [one.memory.id, one]),
    );
    const newPatterns = commands.filter((command) => isNewPattern(command) && !loaded.has(command.id));
    const tombstones = newPatterns.length === 0 ? null : await graph.tombstones(newPatterns.map(({ id }) => id));
    const shared = {
      now: formatTimestamp(clock.now()),
      actor: ENRICHER,
      correlationId: ids.uuid(),
      traceparent: currentTraceparent(), // of the enricher's batch, which continues the trace of its events
    };
    const merges = await readMerges(commands.flatMap(namedEntities), graph);
    const judged = commands.map((command): Decision | EnrichmentOutcome =>
      judge(loaded.get(command.id) ?? tombstones?.get(command.id), withMerges(command, merges), {
        ...shared,
        eventIds: [ids.uuid()],
        causationId: command.causationId,
      }),
    );

    const decided = judged.filter((one) => typeof one !== 'string');
    const outcomes =
      decided.length === 0 ? [] : await committer.commit(decided.map((decision) => commandOf(decision, ids.uuid())));
    const outcomeOfDecision = new Map(decided.map((decision, index) => [decision, outcomes[index]]));
    return judged.map((one) => (typeof one === 'string' ? one : outcomeOf(outcomeOfDecision.get(one))));
  };
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

/** Returns the decision to commit, or the outcome when there is nothing to commit. A tombstone is passed for new patterns only. */
function judge(
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

function commandOf({ events, requires, vectors }: Decision, id: string): Command {
  return { id, events, requires, vectors, key: null, fingerprint: null };
}

function outcomeOf(outcome: Outcome | undefined): EnrichmentOutcome {
  switch (outcome?.kind) {
    case 'committed':
      return 'done';
    case 'conflict':
      return 'outdated';
    case 'absent':
      return 'absent';
    default:
      throw new Error(`The committer returned ${outcome?.kind ?? 'no outcome'} for a command without a key.`);
  }
}
