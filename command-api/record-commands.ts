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
    const kinds = await commitEach(decided, { committer, ids });
    const kindOfDecision = new Map(decided.map((decision, index) => [decision, kinds[index]]));
    return decisions.map((one) => (typeof one === 'string' ? one : OUTCOMES[kindOfDecision.get(one) ?? 'absent']));
  };
}

const OUTCOMES = { committed: 'done', conflict: 'outdated', absent: 'absent' } as const satisfies Record<
  CommittedKind,
  RecordedOutcome
>;

/** The outcomes of commands without a key. */
export type CommittedKind = Extract<Outcome['kind'], 'committed' | 'conflict' | 'absent'>;

/** Commits each decision as a command without a key, all in one call. Kind i belongs to decision i. */
export async function commitEach(
  decisions: readonly Decision[],
  { committer, ids }: Omit<RecordDeps, 'clock'>,
): Promise<readonly CommittedKind[]> {
  if (decisions.length === 0) return [];
  const outcomes = await committer.commit(
    decisions.map((decision) => ({ ...decision, id: ids.uuid(), key: null, fingerprint: null })),
  );
  return decisions.map((_, index) => {
    const kind = outcomes[index]?.kind;
    if (kind === 'committed' || kind === 'conflict' || kind === 'absent') return kind;
    throw new Error(`The committer returned ${kind ?? 'no outcome'} for a command without a key.`);
  });
}
