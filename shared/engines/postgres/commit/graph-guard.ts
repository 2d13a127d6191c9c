/**
 * A circuit breaker around the graph. While the graph is known to be down, nothing is committed that could not be
 * applied soon. An event that a working graph cannot apply does not block other events. Two states: `up`, and `down`
 * from a call without connection until a successful probe.
 */
import type { RecordedEvent } from '../../../contract/events.js';
import { mapConcurrently } from '../../../kernel/concurrency/map-concurrently.js';
import { DeadlineError, DependencyError } from '../../../kernel/errors.js';
import type { Logger } from '../../../kernel/logger.js';
import { withBatchSpan } from '../../../kernel/tracing/tracing.js';
import type { GraphReader, GraphWriter } from '../../../ports/graph.js';
import { RETRY_AFTER_SECONDS } from './unfinished-error.js';

export type CommitGraph = Pick<GraphWriter, 'apply'> & Pick<GraphReader, 'ping'>;

/** The text of the HTTP contract. */
const UNAVAILABLE = 'Graph database unavailable';
/** Subjects whose events are applied alone at the same time. */
const ALONE_CONCURRENCY = 8;
/**
 * Time of a transaction with the events of several subjects, so that an event that a working graph cannot finish delays
 * the others by this time and not by the whole timeout of a transaction. Such a transaction usually takes 5 to 50 ms.
 */
const GROUP_TIMEOUT_MS = 1_000;
/** More time for each event: a batch of 500 takes a second on a busy machine. */
const GROUP_EVENT_MS = 10;

/** The events that the graph did not apply, by position, each with the error. */
export type Rejected = ReadonlyMap<number, unknown>;

/** Some of the events of one call. `rejected` fails with DependencyError when the graph goes down meanwhile. */
export type AppliedPart = { readonly events: readonly RecordedEvent[]; readonly rejected: Promise<Rejected> };

export interface GraphGuard {
  /** Throws DependencyError, without a call to the graph, while the graph is known to be down. */
  requireUp(): void;
  /**
   * Applies events to the graph in order. If the graph fails for all together, it applies each one alone; the later
   * events of a subject wait behind a rejected one. Returns the rejected events. DependencyError when the graph is
   * down.
   */
  apply(events: readonly RecordedEvent[]): Promise<Rejected>;
  /**
   * As `apply`, but resolves after the attempt with all together, with a part for each result that the graph gives
   * apart from the others.
   */
  applyInParts(events: readonly RecordedEvent[]): Promise<readonly AppliedPart[]>;
  /** Pings a graph that is down; DependencyError when it is still down. */
  probe(): Promise<void>;
}

export function createGraphGuard({
  graph,
  logger,
}: {
  readonly graph: CommitGraph;
  readonly logger: Logger;
}): GraphGuard {
  let failure: unknown = null;

  async function trackFailure<T>(call: Promise<T>): Promise<T> {
    try {
      const answer = await call;
      failure = null;
      return answer;
    } catch (error) {
      if (!isDown(error)) throw error;
      failure = error;
      throw unavailable(error);
    }
  }

  function unavailable(cause: unknown): DependencyError {
    return new DependencyError('graph', UNAVAILABLE, { cause, retryAfterSeconds: RETRY_AFTER_SECONDS });
  }

  /** `events`: of one subject; the graph failed for the first one, and the others wait behind it. */
  function reject(events: readonly RecordedEvent[], error: unknown): Rejected {
    const [event] = events;
    logger.error(
      { err: error, eventId: event?.id, position: event?.position, subject: event?.subject },
      'graph could not apply an event; it stays pending',
    );
    return new Map(events.map(({ position }) => [position, error]));
  }

  async function probe(): Promise<void> {
    if (failure !== null) await trackFailure(graph.ping());
  }

  /**
   * A graph that was down is probed first: a caller that can read the events must not be refused because the graph is
   * down.
   */
  async function applyWhenUp(...call: Parameters<CommitGraph['apply']>): Promise<void> {
    await probe();
    await trackFailure(graph.apply(...call));
  }

  async function applyOneByOne(ofSubject: readonly RecordedEvent[]): Promise<Rejected> {
    for (const [index, event] of ofSubject.entries()) {
      try {
        await applyWhenUp([event]);
      } catch (error) {
        if (isDown(error)) throw error;
        return reject(ofSubject.slice(index), error);
      }
    }
    return NONE_REJECTED;
  }

  async function applyInParts(events: readonly RecordedEvent[]): Promise<readonly AppliedPart[]> {
    if (events.length === 0) return [];
    const subjects = bySubject(events);
    const timeoutMs = GROUP_TIMEOUT_MS + events.length * GROUP_EVENT_MS;
    try {
      await applyWhenUp(events, subjects.length === 1 ? undefined : { timeoutMs });
      return [{ events, rejected: Promise.resolve(NONE_REJECTED) }];
    } catch (error) {
      if (isDown(error)) throw error;
      if (events.length === 1) return [{ events, rejected: Promise.resolve(reject(events, error)) }];
      return startParts(subjects, applyOneByOne);
    }
  }

  return {
    requireUp: () => {
      if (failure !== null) throw unavailable(failure);
    },
    apply: (events) =>
      withBatchSpan('apply to graph', { events }, async () => {
        const parts = await applyInParts(events);
        return new Map((await Promise.all(parts.map(({ rejected }) => rejected))).flatMap((rejected) => [...rejected]));
      }),
    applyInParts,
    probe,
  };
}

const NONE_REJECTED: Rejected = new Map();

/** Begins to apply the events of each subject, a few subjects at a time. */
function startParts(
  subjects: readonly (readonly RecordedEvent[])[],
  applyAll: (ofSubject: readonly RecordedEvent[]) => Promise<Rejected>,
): readonly AppliedPart[] {
  const started = subjects.map((events) => {
    let settle: (rejected: Promise<Rejected>) => void = () => undefined;
    const rejected = new Promise<Rejected>((resolve) => (settle = resolve));
    return { events, rejected, settle };
  });
  void mapConcurrently(started, ALONE_CONCURRENCY, async ({ events, rejected, settle }) => {
    settle(applyAll(events));
    await rejected.catch(() => undefined /* the caller of the part gets it */);
  });
  return started;
}

/**
 * The failure concerns every call, not the events of this one: the server is down or cut off, or too many calls wait
 * for it.
 */
function isDown(error: unknown): boolean {
  return error instanceof DeadlineError || (error instanceof DependencyError && !error.isReachable);
}

function bySubject(events: readonly RecordedEvent[]): readonly (readonly RecordedEvent[])[] {
  const groups = new Map<string, RecordedEvent[]>();
  for (const event of events) {
    const group = groups.get(event.subject);
    if (group) group.push(event);
    else groups.set(event.subject, [event]);
  }
  return [...groups.values()];
}
