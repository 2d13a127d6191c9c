/** Handles a command: runs the command runner once and builds the answer from the resulting events. */
import { createHash } from 'node:crypto';
import type { RecordedEvent } from '../shared/contract/events.js';
import { disconnected } from '../shared/http/admission.js';
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
  /**
   * The id of the one memory that the command changes. The commands of this process on a memory run one after another:
   * side by side each would conflict with all others and be decided again.
   */
  readonly memoryId?: string;
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

/** How long a request waits for others with the same Idempotency-Key, or on the same memory, before its 409. */
export const KEY_WAIT_MS = 10_000;
const SAME_KEY = 'A request with this Idempotency-Key is still in flight: send it again later';
const SAME_MEMORY = 'Other requests change the same memory: send this request again later';

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
  const waitMs = deps.keyWaitMs ?? KEY_WAIT_MS;
  const inFlight = createInFlight({ waitMs, refusal: SAME_KEY });
  const onMemory = createInFlight({ waitMs, refusal: SAME_MEMORY });

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
      const { events, state, commandId } = await inFlight(context.commandKey, () =>
        onMemory(queueOf(steps, context), () => {
          if (context.signal.aborted) throw disconnected();
          return run(identityOf(context), steps);
        }),
      );
      const onSent = commandId === null ? undefined : trackAnswer(commandId, context.signal);
      const answer = withReceipt<R>(await steps.answer(events, state), events.at(-1));
      return onSent === undefined ? answer : { ...answer, onSent };
    },
  };
}

/** Callers with other tags wait in other queues: a wait would show them that a memory exists. */
function queueOf({ memoryId }: Pick<CommandSteps<never, never>, 'memoryId'>, { tag }: RequestContext): string | null {
  return memoryId === undefined ? null : `${memoryId} ${tag ?? ''}`;
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

/**
 * One request for each key at a time in this process, in the order of the calls: the next one finds what the first
 * committed. Throws ConflictError with `refusal` after the wait.
 */
export function createInFlight({ waitMs, refusal }: { readonly waitMs: number; readonly refusal: string }): InFlight {
  /** Each promise resolves when all work with that key so far has ended. Bounded by the requests in flight. */
  const ends = new Map<string, Promise<unknown>>();

  return async (key, work) => {
    if (key === null) return work();
    const others = ends.get(key);
    let end = (): void => undefined;
    const all = Promise.all([others, new Promise<void>((resolve) => (end = resolve))]);
    ends.set(key, all);
    void all.then(() => ends.get(key) === all && ends.delete(key));
    try {
      if (others !== undefined && !(await endsWithin(others, waitMs))) throw new ConflictError(refusal, 1);
      return await work();
    } finally {
      end();
    }
  };
}

function endsWithin(others: Promise<unknown>, milliseconds: number): Promise<boolean> {
  return raceDeadline(
    others.then(() => true),
    { milliseconds, onDeadline: () => false },
  );
}
