/**
 * Runs every decision of a caller: looks for an earlier identical request, else loads, decides and commits, again after
 * a conflict. 503 where a graph that lacks events of its journal would give a wrong answer.
 */
import type { RecordedEvent } from '../shared/contract/events.js';
import type { MarkWatch } from '../shared/integrity/journal-mark/watch-mark.js';
import type { Ids } from '../shared/kernel/clock.js';
import {
  ConflictError,
  DependencyError,
  NotFoundError,
  PreconditionError,
  RuleError,
} from '../shared/kernel/errors.js';
import type { CommandKey, Committer, Outcome } from '../shared/ports/committer.js';
import type { Decision } from './decision.js';

export const MAX_ATTEMPTS = 5;

export type Steps<S> = {
  /** Reads the state that the decision needs; called again for each attempt. */
  readonly load: () => Promise<S>;
  readonly decide: (state: S) => Decision | Promise<Decision>;
};

export type Run<S> = {
  /** The events of the command, from now or from its first request; none when it changed nothing. */
  readonly events: readonly RecordedEvent[];
  /** The state that the decision used; undefined when an earlier request had committed the same command. */
  readonly state: S | undefined;
  /** The command that this run committed and whose caller waits for an answer; null otherwise. */
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
  async function commit(identity: Identity, decision: Decision): Promise<{ id: string; outcome: Outcome }> {
    const id = ids.uuid();
    const [outcome] = await committer.commit([{ id, ...decision, ...identity }]);
    if (!outcome) throw new Error('The committer returned no outcome for a command.');
    return { id, outcome };
  }

  return async (identity, steps) => {
    const earlier = identity.key || identity.fingerprint ? await committer.earlier(identity) : undefined;
    if (earlier) return repeatedRun(earlier);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const state = await steps.load();
      const decision = await steps.decide(state);
      if (decision.events.length === 0) return { events: [], state, commandId: null };
      const { id, outcome } = await commit(identity, decision);
      if (outcome.kind === 'committed') return { events: outcome.events, state, commandId: id };
      if (outcome.kind === 'repeated' || outcome.kind === 'key_reused') return repeatedRun(outcome);
    }
    throw new ConflictError(
      `Other requests changed the same memories during all ${MAX_ATTEMPTS} attempts: send this request again`,
      1,
    );
  };
}

function repeatedRun(outcome: Extract<Outcome, { kind: 'repeated' | 'key_reused' }>): Run<never> {
  if (outcome.kind === 'repeated') return { events: outcome.events, state: undefined, commandId: null };
  throw new RuleError('This Idempotency-Key came with another request before: send a new key with a new request');
}

/** Whether the graph lacks events, because it was emptied or put back to an earlier state. */
export type GraphState = Pick<MarkWatch, 'isBehind' | 'isBehindNow'>;

/** Where the graph commits with its journal. */
export const WHOLE_GRAPH: GraphState = { isBehind: () => false, isBehindNow: () => Promise.resolve(false) };

const RETRY_AFTER_SECONDS = 5;
const MESSAGE =
  'The graph was emptied or put back to an earlier state and may lack the memories of this command: try again when it is rebuilt from the journal';

/** The graph is compared with its journal before a memory is called absent: the last comparison may be too old. */
export async function withBehindGraph<T>(graphState: GraphState, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!dependsOnGraph(error) || !(await graphState.isBehindNow())) throw error;
    throw behindError(error);
  }
}

/** For a command that skips the memories that it does not find. */
export function requireWholeGraph(graphState: GraphState): void {
  if (graphState.isBehind()) throw behindError();
}

function dependsOnGraph(error: unknown): boolean {
  return error instanceof NotFoundError || error instanceof ConflictError || error instanceof PreconditionError;
}

function behindError(cause?: unknown): DependencyError {
  return new DependencyError('graph', MESSAGE, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
}
