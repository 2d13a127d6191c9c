/**
 * Records commands of a process of the service: loads what they are about, decides each one by itself, and commits all
 * decisions in one call. Decides only once: when a memory has another version than the process read, the process sees
 * the newer state itself.
 */
import type { Actor } from '../shared/contract/envelope.js';
import { type Clock, formatTimestamp, type Ids } from '../shared/kernel/clock.js';
import { ValidationError } from '../shared/kernel/errors.js';
import { currentTraceparent } from '../shared/kernel/tracing/tracing.js';
import type { Committer, Outcome } from '../shared/ports/committer.js';
import type { Decision, Facts } from './decision.js';

export type RecordDeps = { readonly committer: Pick<Committer, 'commit'>; readonly clock: Clock; readonly ids: Ids };

export type RecordedOutcome = 'done' | 'outdated' | 'absent';

export function createRecordCommands<C, State, O extends string = never>(
  { committer, clock, ids }: RecordDeps,
  {
    name,
    limit,
    mostEvents,
    load,
    decide,
  }: {
    /** The actor of the events. */
    readonly name: string;
    /** The most commands of one call. */
    readonly limit: number;
    /** Of the decision with the most events. */
    readonly mostEvents: number;
    readonly load: (commands: readonly C[]) => Promise<State>;
    /** Returns the decision to commit, or the outcome when there is nothing to commit. */
    readonly decide: (command: C, state: State, facts: Facts) => Decision | RecordedOutcome | O;
  },
): (commands: readonly C[]) => Promise<readonly (RecordedOutcome | O)[]> {
  const actor: Actor = { name, tier: 'internal', agent: null };
  return async (commands) => {
    if (commands.length > limit) throw new ValidationError(`'commands' must have at most ${limit} items`, 'commands');
    const state = await load(commands);
    const shared = {
      now: formatTimestamp(clock.now()),
      actor,
      correlationId: ids.uuid(),
      traceparent: currentTraceparent(), // of the batch, which continues the trace of its events
    };
    const decisions = commands.map((command) =>
      decide(command, state, { ...shared, eventIds: Array.from({ length: mostEvents }, () => ids.uuid()) }),
    );
    const decided = decisions.filter((one) => typeof one !== 'string');
    const outcomes =
      decided.length === 0
        ? []
        : await committer.commit(
            decided.map((decision) => ({ ...decision, id: ids.uuid(), key: null, fingerprint: null })),
          );
    const outcomeOfDecision = new Map(decided.map((decision, index) => [decision, outcomes[index]]));
    return decisions.map((one) => (typeof one === 'string' ? one : outcomeOf(outcomeOfDecision.get(one))));
  };
}

function outcomeOf(outcome: Outcome | undefined): RecordedOutcome {
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
