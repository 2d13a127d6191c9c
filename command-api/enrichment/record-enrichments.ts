/**
 * Records the results of the enricher: loads the memories, decides each command by itself, and commits all of them in one call. Decides
 * only once: when a memory has another version than the enricher read, a newer event makes the enricher process it again.
 */
import type { Command, Committer, Outcome } from '../../shared/commit/committer.js';
import type { EnrichmentCommand, EnrichmentOutcome, RecordEnrichments } from '../../shared/contract/enrichment.js';
import { ENRICHMENT_COMMANDS_LIMIT } from '../../shared/contract/enrichment.js';
import type { Actor } from '../../shared/contract/envelope.js';
import type { GraphReader, LoadedMemory } from '../../shared/graph/graph.js';
import { type Clock, formatTimestamp, type Ids } from '../../shared/kernel/clock.js';
import { ValidationError } from '../../shared/kernel/errors.js';
import type { Decision, Facts } from '../decision.js';
import { decideEnriched, decideFailed } from './decide-enrichment.js';
import { decidePattern } from './decide-pattern.js';

export type RecordEnrichmentsDeps = {
  readonly committer: Pick<Committer, 'commit'>;
  readonly graph: Pick<GraphReader, 'memories'>;
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
    const shared = { now: formatTimestamp(clock.now()), actor: ENRICHER, correlationId: ids.uuid(), traceparent: null };
    const judged = commands.map((command): Decision | EnrichmentOutcome =>
      judge(loaded.get(command.id), command, { ...shared, eventIds: [ids.uuid()], causationId: command.causationId }),
    );

    const decided = judged.filter((one) => typeof one !== 'string');
    const outcomes =
      decided.length === 0 ? [] : await committer.commit(decided.map((decision) => commandOf(decision, ids.uuid())));
    const outcomeOfDecision = new Map(decided.map((decision, index) => [decision, outcomes[index]]));
    return judged.map((one) => (typeof one === 'string' ? one : outcomeOf(outcomeOfDecision.get(one))));
  };
}

/** Returns the decision to commit, or the outcome when there is nothing to commit. */
function judge(
  loaded: LoadedMemory | undefined,
  command: EnrichmentCommand,
  facts: Facts,
): Decision | EnrichmentOutcome {
  const isNewPattern = command.kind === 'pattern' && command.expectedVersion === 0;
  if (!loaded && !isNewPattern) return 'absent';
  if ((loaded?.version ?? 0) !== command.expectedVersion) return 'outdated';
  const decision = decide(loaded, command, facts);
  return decision.events.length === 0 ? 'done' : decision;
}

function decide(loaded: LoadedMemory | undefined, command: EnrichmentCommand, facts: Facts): Decision {
  if (command.kind === 'pattern') return decidePattern(loaded, command, facts);
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
