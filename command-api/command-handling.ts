/** Handles a command: runs the command runner once and builds the answer from the resulting events. */
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../shared/contract/events.js';
import type { BodyReply, RequestContext } from '../shared/http/handler.js';
import { type Clock, formatTimestamp, type Ids } from '../shared/kernel/clock.js';
import { raceDeadline } from '../shared/kernel/concurrency/within-deadline.js';
import { ConflictError } from '../shared/kernel/errors.js';
import type { Committer } from '../shared/ports/committer.js';
import {
  type CommandRunner,
  createCommandRunner,
  type GraphState,
  type Identity,
  requireWholeGraph,
  type Steps,
  WHOLE_GRAPH,
  withBehindGraph,
} from './command-runner.js';
import type { Facts } from './decision.js';

export type CommandSteps<S, R> = Steps<S> & {
  /** From the events alone where possible: for a repeat `state` is undefined. No events: nothing changed. */
  readonly answer: (events: readonly RecordedEvent[], state: S | undefined) => R | Promise<R>;
};

export type CommandHandling = {
  readonly handle: <S, R extends BodyReply>(context: RequestContext, steps: CommandSteps<S, NoInfer<R>>) => Promise<R>;
  /** For commands with several commits: they call `run` themselves, inside `inFlight`. */
  readonly run: CommandRunner;
  readonly inFlight: InFlight;
  /** For commands that skip the memories that they do not find: throws DependencyError while the graph lacks events. */
  readonly requireWholeGraph: () => void;
  readonly facts: (context: RequestContext, events: number) => Facts;
};

/** How long a request waits for another with the same Idempotency-Key before it is refused with 409. */
export const KEY_WAIT_MS = 10_000;

export function createCommandHandling(deps: {
  readonly committer: Committer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keyWaitMs?: number;
  /** Absent where the graph commits with its journal. */
  readonly graphState?: GraphState | undefined;
}): CommandHandling {
  const { committer, clock, ids, graphState = WHOLE_GRAPH } = deps;
  const runCommand = createCommandRunner({ committer, ids });
  const run: CommandRunner = (identity, steps) => withBehindGraph(graphState, () => runCommand(identity, steps));
  const inFlight = createInFlight({ waitMs: deps.keyWaitMs ?? KEY_WAIT_MS });

  /** Returns what to call once the answer is sent. An abort before that marks the command as abandoned. */
  function trackAnswer(commandId: string, ended: AbortSignal): () => void {
    const abandon = (): void => committer.abandoned(commandId);
    if (ended.aborted) abandon();
    else ended.addEventListener('abort', abandon, { once: true });
    return () => {
      ended.removeEventListener('abort', abandon);
      committer.answered(commandId);
    };
  }

  return {
    run,
    inFlight,
    requireWholeGraph: () => requireWholeGraph(graphState),
    facts: ({ actor, requestId, traceparent }, events) => ({
      now: formatTimestamp(clock.now()),
      actor,
      correlationId: requestId,
      traceparent,
      eventIds: Array.from({ length: events }, () => ids.uuid()),
    }),
    handle: async <S, R extends BodyReply>(context: RequestContext, steps: CommandSteps<S, NoInfer<R>>) => {
      const { events, state, commandId } = await inFlight(context.commandKey, () => run(identityOf(context), steps));
      const onSent = commandId === null ? undefined : trackAnswer(commandId, context.signal);
      const answer = withReceipt<R>(await steps.answer(events, state), events.at(-1));
      return onSent === undefined ? answer : { ...answer, onSent };
    },
  };
}

/** Requests are the same by the caller's Idempotency-Key; without a key, by their fingerprint. */
function identityOf({ commandKey, requestHash, fingerprint }: RequestContext): Identity {
  return commandKey === null
    ? { key: null, fingerprint }
    : { key: { key: commandKey, requestHash }, fingerprint: null };
}

/** Of one commit of several: the key follows from the request's key and the round, which the request decides. */
export function roundIdentity({ commandKey, requestHash }: RequestContext, round: number | string): Identity {
  if (commandKey === null) return { key: null, fingerprint: null };
  return {
    key: { key: createHash('sha256').update(`${commandKey}:${round}`).digest('hex'), requestHash },
    fingerprint: null,
  };
}

/**
 * Adds the receipt of a write: the position of its last event in the journal. Every answer to a write that changed
 * something has one, also a repeated answer. Without a last event (nothing changed) the answer stays as it is.
 */
export function withReceipt<R extends BodyReply>(
  answer: NoInfer<R>,
  last: Pick<RecordedEvent, 'position'> | undefined,
): R {
  return last === undefined ? answer : { ...answer, receipt: last.position };
}

/** Runs the work once no other work with this key runs. With a null key it runs immediately. */
type InFlight = <T>(key: string | null, work: () => Promise<T>) => Promise<T>;

/** One request for each key at a time in this process: the next one finds what the first committed. */
export function createInFlight({ waitMs }: { readonly waitMs: number }): InFlight {
  /** Each promise resolves when the work with that key has ended. Bounded by the requests in flight. */
  const running = new Map<string, Promise<unknown>>();

  return async (key, work) => {
    if (key === null) return work();
    const deadline = performance.now() + waitMs;
    for (let other = running.get(key); other; other = running.get(key)) {
      if (!(await endsBefore(other, deadline))) {
        throw new ConflictError('A request with this Idempotency-Key is still in flight: send it again later', 1);
      }
    }
    const current = work();
    running.set(key, Promise.allSettled([current]));
    try {
      return await current;
    } finally {
      running.delete(key);
    }
  };
}

function endsBefore(other: Promise<unknown>, deadline: number): Promise<boolean> {
  return raceDeadline(
    other.then(() => true),
    { milliseconds: Math.max(0, deadline - performance.now()), onDeadline: () => false },
  );
}
