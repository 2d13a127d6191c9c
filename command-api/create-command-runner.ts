/**
 * The shell around every decision: what was committed before, else load, decide, commit, and on a conflict all of it again. It is the
 * only caller of the committer.
 */
import type { CommandKey, Committer, Outcome } from '../shared/commit/committer.js';
import type { RecordedEvent } from '../shared/contract/events.js';
import type { Ids } from '../shared/kernel/clock.js';
import { ConflictError, RuleError } from '../shared/kernel/errors.js';
import type { Decision } from './decision.js';

export const ATTEMPTS = 5;

export type Steps<S> = {
  /** Reads the world that the decision needs; again for each attempt. */
  readonly load: () => Promise<S>;
  readonly decide: (state: S) => Decision;
};

export type Run<S> = {
  /** What the command made, now or when it was first sent; none when it changed nothing. */
  readonly events: readonly RecordedEvent[];
  /** What was decided on; undefined when an earlier request had committed the same command. */
  readonly state: S | undefined;
  /** The command that was committed here, whose caller waits for an answer. */
  readonly commandId: string | null;
};

export type Identity = { readonly key: CommandKey | null; readonly fingerprint: string | null };
export type CommandRunner = <S>(identity: Identity, steps: Steps<S>) => Promise<Run<S>>;

export function createCommandRunner({
  committer,
  ids,
}: {
  readonly committer: Committer;
  readonly ids: Ids;
}): CommandRunner {
  async function commit(
    identity: Identity,
    { events, requires, vectors }: Decision,
  ): Promise<{ id: string; outcome: Outcome }> {
    const id = ids.uuid();
    const [outcome] = await committer.commit([{ id, events, requires, vectors, ...identity }]);
    if (!outcome) throw new Error('The committer answered no outcome for a command.');
    return { id, outcome };
  }

  return async (identity, steps) => {
    const earlier = identity.key || identity.fingerprint ? await committer.earlier(identity) : undefined;
    if (earlier) return repeat(earlier);
    for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
      const state = await steps.load();
      const decision = steps.decide(state);
      if (decision.events.length === 0) return { events: [], state, commandId: null };
      const { id, outcome } = await commit(identity, decision);
      if (outcome.kind === 'committed') return { events: outcome.events, state, commandId: id };
      if (outcome.kind === 'repeated' || outcome.kind === 'key_reused') return repeat(outcome);
    }
    throw new ConflictError(
      `Others changed the same memories ${ATTEMPTS} times while this was decided: send it again`,
      1,
    );
  };
}

function repeat(outcome: Extract<Outcome, { kind: 'repeated' | 'key_reused' }>): Run<never> {
  if (outcome.kind === 'repeated') return { events: outcome.events, state: undefined, commandId: null };
  throw new RuleError('This Idempotency-Key came with another request before: send a new key with a new request');
}
