/** From a request to its answer, for commands: one run of the shell, then an answer made from the events it stands on. */
import type { Committer } from '../shared/commit/committer.js';
import type { RecordedEvent } from '../shared/contract/events.js';
import type { Reply, RequestContext } from '../shared/http/handler.js';
import { formatTimestamp, type Clock, type Ids } from '../shared/kernel/clock.js';
import { createCommandRunner, type CommandRunner, type Identity, type Steps } from './create-command-runner.js';
import { createInFlight, type InFlight } from './create-in-flight.js';
import type { Facts } from './decision.js';
import { withReceipt } from './receipt.js';

export type Answer = Omit<Reply, 'onSent'>;

export type CommandSteps<S> = Steps<S> & {
  /**
   * Made from the events alone wherever it can, so that a repeated request reads the same; `state` is undefined then. No event: the
   * command changed nothing.
   */
  readonly answer: (events: readonly RecordedEvent[], state: S | undefined) => Answer | Promise<Answer>;
};

export type CommandHandling = {
  readonly handle: <S>(context: RequestContext, steps: CommandSteps<S>) => Promise<Reply>;
  /** For commands of several commits: they run by themselves inside `inFlight`. */
  readonly run: CommandRunner;
  readonly inFlight: InFlight;
  readonly facts: (context: RequestContext, events: number) => Facts;
};

export function createCommandHandling(deps: {
  readonly committer: Committer;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly keyWaitMs: number;
}): CommandHandling {
  const { committer, clock, ids } = deps;
  const run = createCommandRunner({ committer, ids });
  const inFlight = createInFlight({ waitMs: deps.keyWaitMs });

  /** Gives what to do once the answer has left. The signal also ends a request that was answered, or whose answer became an error. */
  function followAnswer(commandId: string, ended: AbortSignal): () => void {
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
    facts: ({ actor, requestId, traceparent }, events) => ({
      now: formatTimestamp(clock.now()),
      actor,
      correlationId: requestId,
      traceparent,
      eventIds: Array.from({ length: events }, () => ids.uuid()),
    }),
    handle: async (context, steps) => {
      const { events, state, commandId } = await inFlight(context.commandKey, () => run(identityOf(context), steps));
      const onSent = commandId === null ? undefined : followAnswer(commandId, context.signal);
      const answer = withReceipt(await steps.answer(events, state), events.at(-1));
      return onSent === undefined ? answer : { ...answer, onSent };
    },
  };
}

/** A caller's own key says which requests are one; only without it their likeness does. */
function identityOf({ commandKey, requestHash, fingerprint }: RequestContext): Identity {
  return commandKey === null
    ? { key: null, fingerprint }
    : { key: { key: commandKey, requestHash }, fingerprint: null };
}
